import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CannotRun } from '../process/cannot-run.ts';

export interface Migration {
  version: number;
  /** `first_tables` */
  name: string;
  checksum: string;
  sql: string;
  /** The statements, separated by empty lines, if the first line is `-- in parts`. No transaction contains them all. */
  parts: string[] | undefined;
}

/** The migrations of a folder, in order: `000001_first_tables.sql`. */
export async function readMigrations(directory: string | URL): Promise<Migration[]> {
  const folder = directory instanceof URL ? fileURLToPath(directory) : directory;
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  const migrations = await Promise.all(files.map((file) => readMigration(folder, file)));
  for (const [index, { version }] of migrations.entries()) {
    if (migrations[index - 1]?.version === version) throw new CannotRun(`two migrations have the number ${version}`);
  }
  return migrations;
}

/** `000001_first_tables` */
export function migrationName({ version, name }: Pick<Migration, 'version' | 'name'>): string {
  return `${String(version).padStart(6, '0')}_${name}`;
}

async function readMigration(folder: string, file: string): Promise<Migration> {
  const [, version, name] = /^(\d{6})_([a-z0-9_]+)\.sql$/.exec(file) ?? [];
  if (!version || !name) throw new CannotRun(`migration ${file} is not named like 000001_first_tables.sql`);
  // Git may check the text out with other line ends.
  const sql = (await readFile(path.join(folder, file), 'utf8')).replaceAll('\r\n', '\n');
  const checksum = createHash('sha256').update(sql).digest('hex');
  const parts = sql.startsWith('-- in parts\n') ? sql.split('\n\n') : undefined;
  return { version: Number(version), name, checksum, sql, parts };
}
