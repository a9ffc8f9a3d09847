import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const bundle = 'console/dist';

/** Copies the files of the repository to a temporary folder, so that no fault ever stands in the working tree. */
export function copyTree(): string {
  const copy = mkdtempSync(join(tmpdir(), 'majlis-mutants-'));
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  for (const file of listed.split('\0')) if (file && existsSync(file)) cpSync(file, join(copy, file));
  const { workspaces }: { workspaces: string[] } = JSON.parse(readFileSync('package.json', 'utf8'));
  for (const folder of ['.', ...workspaces]) {
    linkPackages(join(folder, 'node_modules'), join(copy, folder, 'node_modules'));
  }
  // The bundle of the console, which `npm ci` builds: the service of the copy serves it.
  if (existsSync(bundle)) symlinkSync(resolve(bundle), join(copy, bundle));
  return copy;
}

/** Links to installed packages. Links to packages of the repository are copied, so they lead to the copy. */
function linkPackages(from: string, to: string): void {
  if (!existsSync(from)) return;
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    const entry = join(from, name);
    if (lstatSync(entry).isSymbolicLink()) symlinkSync(readlinkSync(entry), join(to, name));
    else if (name.startsWith('@majlis')) linkPackages(entry, join(to, name));
    else symlinkSync(resolve(entry), join(to, name));
  }
}
