import pino from 'pino';
import { startEmbeddedPostgres } from '../../src/database/embedded/start-embedded-postgres.ts';
import { CannotRun } from '../../src/process/cannot-run.ts';

// Starts the embedded PostgreSQL in the folder named by the first argument, tells of it, and holds it until SIGTERM.
const data_dir = process.argv[2] ?? '';
try {
  const postgres = await startEmbeddedPostgres({
    data_dir,
    log: pino({ level: 'silent' }),
  });
  const { connection, adopted } = postgres;
  process.stdout.write(`${JSON.stringify({ connection, adopted, pid: postgres.pid() })}\n`);
  process.on('SIGTERM', () => void postgres.stop().then(() => process.exit(0)));
  setInterval(() => {}, 60_000);
} catch (error) {
  process.stderr.write(error instanceof CannotRun ? `cannot run: ${error.message}\n` : String(error));
  process.exit(1);
}
