/* The test inserts this before everything else in a report: it collects messages to the console. */
{
  window.faults = [];
  const note = (words) => window.faults.length < 5 && window.faults.push(words.slice(0, 300));
  addEventListener("error", (event) => note(`${event.message} ${event.error && event.error.stack}`));
  addEventListener("unhandledrejection", (event) => note(String(event.reason)));
  for (const level of ["error", "warn"]) {
    const told = console[level];
    console[level] = (...words) => {
      note(words.join(" "));
      told.apply(console, words);
    };
  }
}
