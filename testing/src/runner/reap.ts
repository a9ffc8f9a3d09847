import { rm } from 'node:fs/promises';
import { serverConnection } from '../test-database.ts';
import { dropDatabases } from './drop-databases.ts';
import { endProcessesIn } from './end-processes.ts';

// A process that waits for the end of a run, however it ends, and removes what the run left: `reap.ts RUN FOLDER…`.
const [run, ...folders] = process.argv.slice(2);
for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, () => {});
await new Promise((resolve) => void process.stdin.on('end', resolve).on('error', resolve).resume());
for (const folder of folders) await endProcessesIn(folder);
// On a server that the run shared with others.
if (process.env.TEST_DATABASE_URL) await dropDatabases(serverConnection(), `majlis_test_${run}_`).catch(() => {});
for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
