import { chmod, copyFile, link, lstat, mkdir, mkdtemp, readdir, readlink, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CannotRun } from '../../process/cannot-run.ts';
import type { Account } from './choose-account.ts';
import type { Programs } from './find-programs.ts';
import { runProgram } from './run-program.ts';

/**
 * The programs at a place from which the account can run them. Where node_modules lies in a folder that it may not
 * enter (/root, or files made under umask 077), that is a copy, made once for each version: PostgreSQL finds its
 * libraries and shared files by its own real path, so no trick with the working directory helps here.
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
      // A place that cannot be written is as good as one that cannot be reached.
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

/** Only root's own files are run: anyone can make a folder of this name in a shared temporary folder. */
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
      // Another service was faster: its copy stays.
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

/** A second link to the file where everyone may read it and the disk is the same one, for it takes no time; else a copy. */
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
