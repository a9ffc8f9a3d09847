// A process that does nothing, of whichever user.
process.stdout.write('here\n');
setInterval(() => {}, 60_000);
