import { chmod, copyFile, link, lstat, mkdir, mkdtemp, readdir, readlink, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CannotRun } from '../../process/cannot-run.ts';
import type { Account } from './choose-account.ts';
import type { Programs } from './find-programs.ts';
import { runProgram } from './run-program.ts';

/**
 * Finds a place from which the account can run the programs. If the account may not enter the folder of node_modules
 * (/root, or umask 077), this is a copy, made once per version. PostgreSQL finds its libraries by its real path, so a
 * relative path does not help.
 */
export async function reachPrograms(
  programs: Programs,
  account: Account | undefined,
  places = ['/var/lib/majlis', path.join(tmpdir(), 'majlis')],
): Promise<Programs> {
  if (!account || (await canRun(programs, account))) return programs;
  for (const base of places) {
    const copy = { ...programs, folder: path.join(base, `postgresql-${programs.version}`) };
    try {
      if (!(await isOurs(copy.folder))) await copyPrograms(programs.folder, copy.folder);
      if ((await isOurs(copy.folder)) && (await canRun(copy, account))) return copy;
    } catch {
      // An unwritable place is skipped like an unreachable one.
    }
  }
  throw new CannotRun(
    `PostgreSQL does not run as root, and user ${account.uid} can neither run it from ${programs.folder} nor from a copy in ${places.join(' or ')}: start Majlis as another user or set DATABASE_URL`,
  );
}

async function canRun({ folder }: Programs, account: Account): Promise<boolean> {
  const check = 'test -r "$0/share/postgresql/postgres.bki" && exec "$0/bin/postgres" --version';
  const { code } = await runProgram('/bin/sh', ['-c', check, folder], { account, cwd: '/' });
  return code === 0;
}

/** Root runs only its own files: any user can create a folder of this name in a shared temporary folder. */
async function isOurs(folder: string): Promise<boolean> {
  for (const place of [path.dirname(folder), folder]) {
    const found = await lstat(place).catch(() => undefined);
    if (!found?.isDirectory() || found.uid !== 0 || (found.mode & 0o022) !== 0) return false;
  }
  return true;
}

async function copyPrograms(from: string, to: string): Promise<void> {
  const base = path.dirname(to);
  await mkdir(base, { recursive: true, mode: 0o755 });
  const scratch = await mkdtemp(path.join(base, 'copy-'));
  try {
    const copy = path.join(scratch, 'copy');
    await copyFolder(from, copy);
    await rename(copy, to).catch((error: NodeJS.ErrnoException) => {
      // Another service was faster, and its copy stays.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to);
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = path.join(from, entry.name);
    const target = path.join(to, entry.name);
    if (entry.isDirectory()) await copyFolder(source, target);
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else await copyReadable(source, target);
  }
}

/** Makes a hard link if the file is readable by all and on the same disk, which takes no time; else a copy. */
async function copyReadable(source: string, target: string): Promise<void> {
  const { mode } = await lstat(source);
  const isReadable = (mode & 0o044) === 0o044;
  if (
    isReadable &&
    (await link(source, target).then(
      () => true,
      () => false,
    ))
  )
    return;
  await copyFile(source, target);
  await chmod(target, mode & 0o100 ? 0o755 : 0o644);
}
