#!/usr/bin/env python3
"""Circles of files: sets of sources that call or read each other, so that none can be understood alone.

Usage: circles.py [-v] OBJECT...: object files of the library, named as the build names them (.../NAME.dir/PATH.c.o).
Each circle is a strongly connected component of the graph whose edges are undefined symbols, according to nm; a line
names its files. -v also prints the edges within a circle, each with its symbols.
"""
import re
import subprocess
import sys


def edges(objects):
    """{file: {file that it needs: its symbols}}"""
    home, needs = {}, []
    for line in subprocess.run(["nm", "-A", *objects], capture_output=True, text=True, check=True).stdout.splitlines():
        path, rest = line.rsplit(":", 1) if ": " not in line else line.split(":", 1)
        file = re.sub(r".*\.dir/(\./)?|\.o$", "", path)
        *_, kind, symbol = rest.split()
        if kind == "T":
            home[symbol] = file
        elif kind == "U":
            needs.append((file, symbol))
    graph = {file: {} for file in home.values()}
    for file, symbol in needs:
        if home.get(symbol, file) != file:
            graph.setdefault(file, {}).setdefault(home[symbol], []).append(symbol)
    return graph


def reached(graph, start):
    seen, todo = set(), [start]
    while todo:
        for file in graph.get(todo.pop(), {}):
            if file not in seen:
                seen.add(file)
                todo.append(file)
    return seen


def circles(graph):
    """Strongly connected components of more than one file, sorted."""
    found, far = [], {file: reached(graph, file) for file in graph}
    left = sorted(file for file in graph if file in far[file])
    while left:
        circle = [file for file in left if file in far[left[0]] and left[0] in far[file]]
        found.append(circle)
        left = [file for file in left if file not in circle]
    return found


if __name__ == "__main__":
    verbose = sys.argv[1] == "-v"
    graph = edges(sys.argv[1 + verbose:])
    for circle in circles(graph):
        print(" ".join(circle))
        for file in circle if verbose else ():
            for other in sorted(set(graph[file]) & set(circle)):
                print(f"    {file} -> {other}: {' '.join(graph[file][other])}")
