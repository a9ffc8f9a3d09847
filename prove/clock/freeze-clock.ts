// Loaded into the service before anything else. Between two readings of the database's clock, which stands still as well,
// no time passes: only the test clock moves, and it moves by whole milliseconds.
const stands = Math.floor(performance.now());
performance.now = () => stands;
