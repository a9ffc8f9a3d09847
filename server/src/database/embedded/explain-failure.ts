import { CannotRun } from '../../process/cannot-run.ts';
import type { Cluster } from './cluster.ts';

/** Reduces the output of a failed PostgreSQL program to one line. */
export function explainFailure(cluster: Cluster, output: string): CannotRun {
  const full = complaints(output).findLast((text) => /No space left on device|Disk quota exceeded/.test(text));
  if (full) return new CannotRun(`DATA_DIR ${cluster.data_dir} cannot be used: the disk is full (${full})`);
  if (output.includes('could not look up effective user ID')) {
    return new CannotRun(
      `PostgreSQL needs a user with a name, and ${process.getuid?.()} has none on this system: start Majlis as another user or set DATABASE_URL`,
    );
  }
  const last = complaints(output).at(-1) ?? output.trim().split('\n').at(-1);
  return new CannotRun(`the database in ${cluster.path} does not start: ${last || 'it ended without a word'}`);
}

/** `2026-11-20 10:00:00.123 UTC [42] FATAL:  could not …` and `initdb: error: could not …` → `could not …` */
function complaints(output: string): string[] {
  return [...output.matchAll(/(?:FATAL|PANIC|error):\s+(.*)/g)].map((match) => match[1] ?? '');
}
