import { execFile } from 'node:child_process';
import { access, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const cache = path.join(import.meta.dirname, '../../node_modules/.cache');

/**
 * Installs a Node.js from npm, once per working copy, and answers its program. It is no dependency: 40 MB a version would slow
 * every `npm ci`.
 */
export async function installNode(version: string): Promise<string> {
  const { platform, arch } = process;
  const name = `${platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'}-${platform}-${arch}`;
  const folder = path.join(cache, `node-${version}`);
  const program = path.join(folder, 'node_modules', name, 'bin/node');
  const isInstalled = await access(program).then(
    () => true,
    () => false,
  );
  if (isInstalled) return program;
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{ "private": true }');
  await promisify(execFile)('npm', ['install', '--no-save', '--no-audit', `${name}@${version}`], {
    cwd: folder,
    timeout: 240_000,
  });
  return program;
}
