import assert from 'node:assert/strict';
import { type ExecFileOptions, execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { cleanUp } from './cleanup.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { newDigits } from './messages.ts';
import { receiveMessage } from './receive-message.ts';
import type { TestService } from './start-test-service.ts';

const execute = promisify(execFile);
const run = (program: string, args: string[], options: ExecFileOptions) =>
  execute(program, args, { timeout: 180_000, ...options, encoding: 'utf8' });
const root = path.join(import.meta.dirname, '../..');
const page = readFileSync(path.join(root, 'docs/sdk.md'), 'utf8');
const programs = [...page.matchAll(/```js\n([\s\S]*?)```/g)].map(([, source]) => source!);

/** Packs the client as for the registry and installs it in an empty folder. Answers the folder. */
export async function installPackedClient(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'majlis-client-'));
  cleanUp('the installed client', () => rm(folder, { recursive: true, force: true }));
  await run('npm', ['pack', '--pack-destination', folder], { cwd: path.join(root, 'sdk') });
  const [archive] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  await writeFile(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${archive}`], { cwd: folder });
  return folder;
}

/** Runs every program of docs/sdk.md with this Node.js and the installed package. */
export async function tryPrograms(majlis: TestService, node: string, folder: string): Promise<void> {
  const workspace = await majlis.workspace();
  const env = { ...process.env, MAJLIS_KEY: workspace.key, MAJLIS_URL: majlis.url };
  const start = async (source: string, more: Record<string, string> = {}) => {
    const file = path.join(folder, `program-${Math.random().toString(36).slice(2)}.mjs`);
    await writeFile(file, source);
    return { file, env: { ...env, ...more } };
  };
  const output = async (source: string) => {
    const program = await start(source);
    return (await run(node, [program.file], { cwd: folder, env: program.env })).stdout;
  };
  assert.equal(programs.length, 5);
  const [send, list, file, receive, follow] = programs as [string, string, string, string, string];
  assert.equal(await output(send), 'queued\nonly a template may be sent now\n');
  assert.equal(await output(list), '+96891234567\n');
  assert.equal(await output(file), 'orders.csv\n');
  assert.equal(readFileSync(path.join(folder, 'orders.csv'), 'utf8'), 'id,total\nA-1042,12\n');

  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const { secret } = (await workspace.api.post('/webhook-endpoints', { url, events: ['message.received'] })).body;
  const program = await start(receive, { PORT: String(port), WEBHOOK_SECRET: secret });
  const child = spawn(node, [program.file], { cwd: folder, env: program.env, stdio: ['ignore', 'pipe', 'inherit'] });
  cleanUp('the receiver', () => child.kill('SIGKILL'));
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  const post = () =>
    fetch(url, { method: 'POST', body: '{}' }).then(
      ({ status }) => status,
      () => 0,
    );
  await eventually(post, (status) => status === 401);
  await receiveMessage(majlis, workspace, newDigits());
  await eventually(
    () => stdout,
    (text) => text !== '',
  );
  child.kill();

  await rm(path.join(folder, 'position'), { force: true });
  assert.match(await output(follow), /^message\.received .+\n$/);
  assert.equal(await output(follow), '');

  const required = `
    const { Majlis } = require('@majlis/sdk');
    const { unwrap } = require('@majlis/sdk/webhooks');
    new Majlis().workspace.get().then(({ name }) => console.log(name.slice(0, 4), typeof unwrap));`;
  const script = path.join(folder, 'program.cjs');
  await writeFile(script, required);
  assert.equal((await run(node, [script], { cwd: folder, env })).stdout, 'Acme function\n');
}
