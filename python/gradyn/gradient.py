"""Functionals and their derivatives by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, Union

import numpy as np

from ._html import table
from .errors import UsageError

if TYPE_CHECKING:
    from .evaluate import Functional, Parameter


def place(names: Mapping[str, Any], name: str, what: str) -> int:
    """The index of a name."""
    try:
        return list(names).index(name)
    except ValueError:
        raise UsageError(f"there is no {what} {name!r}: there are {', '.join(names) or 'none'}") from None


class Gradient:
    """psi: values of functionals. matrix [functionals, parameters]: derivatives, each in the functional's
    unit over the parameter's. g["psi1", "Ls1"] is one derivative, g["psi1"] all derivatives of one
    functional."""

    def __init__(
        self,
        functionals: Mapping[str, Functional],
        parameters: Mapping[str, Parameter],
        psi: np.ndarray[Any, Any],
        matrix: np.ndarray[Any, Any],
    ) -> None:
        self.functionals, self.parameters = functionals, parameters
        self.psi: dict[str, float] = dict(zip(functionals, psi.tolist()))
        self.matrix = matrix

    def __getitem__(self, key: Union[str, tuple[str, str]]) -> Any:
        if isinstance(key, str):
            return self.matrix[place(self.functionals, key, "functional")]
        functional, parameter = key
        row = place(self.functionals, functional, "functional")
        return float(self.matrix[row, place(self.parameters, parameter, "parameter")])

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each functional and a column for each parameter."""
        import pandas  # type: ignore[import]

        return pandas.DataFrame(self.matrix, index=list(self.functionals), columns=list(self.parameters))

    def __repr__(self) -> str:
        of, by = (", ".join(names) or "nothing" for names in (self.functionals, self.parameters))
        return f"<gradient of {of} by {by}>"

    def _repr_html_(self) -> str:
        head = ["", "value", *(f"d/d{p.name}{_per(p.unit)}" for p in self.parameters.values())]
        rows = [
            [f"{f.name} [{f.unit}]", *(f"{v:.6g}" for v in (self.psi[f.name], *row))]
            for f, row in zip(self.functionals.values(), self.matrix)
        ]
        return table(head, rows)


def _per(unit: str) -> str:
    """A unit as the divisor of another one."""
    if not unit:
        return ""
    return f" [1/({unit})]" if " " in unit or "/" in unit else f" [1/{unit}]"
