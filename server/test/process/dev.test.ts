import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { makeFolder, type Process, runMajlis, startProcess } from '@majlis/testing/start-process';

const operatingPage = path.join(import.meta.dirname, '../../../docs/operating.md');

describe('majlis dev', () => {
  let DATA_DIR: string;
  let running: Process;

  async function ask(route: string): Promise<Answer> {
    const [, url] = await running.says(/Majlis is ready at (http:\S+)$/m);
    const key = await readFile(path.join(DATA_DIR, 'demo-api-key'), 'utf8');
    const response = await fetch(`${url}/v1${route}`, { headers: { authorization: `Bearer ${key}` } });
    assert.equal(response.status, 200);
    return (await response.json()) as Answer;
  }
  const start = () =>
    startProcess('bin/majlis.js', ['dev', '--quiet-customers'], { env: { DATA_DIR, PORT: '0', SIMULATOR_PORT: '0' } });

  before(async () => {
    DATA_DIR = path.join(await makeFolder(), "Omar's data");
    running = start();
    await running.says(/^curl .*$/m);
  });

  it('prints its address, the demo key and a line that sends a message', async () => {
    const [, url] = await running.says(/Majlis is ready at (http:\S+)$/m);
    const [, key] = await running.says(/Demo API key\s+(\S+)$/m);
    const me = await fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${key}` } });
    assert.equal(me.status, 200);
    assert.equal((await paste(running)).status, 'queued');
    const [, token] = await running.says(/Control token\s+(\S+)$/m);
    assert.equal(token, await readFile(path.join(DATA_DIR, 'simulator-token'), 'utf8'));
  });

  it('plays a customer who has written, and who reads what is sent', async () => {
    const sent = await paste(running);
    const read = await eventually(
      async () => (await ask(`/messages/${sent.id}`)).status,
      (status) => status === 'read',
    );
    assert.equal(read, 'read');
    const { data } = await ask(`/conversations/${sent.conversation_id}/messages`);
    assert.ok(data.some(({ direction }) => direction === 'inbound'));
  });

  it('keeps its secrets to itself', async () => {
    for (const name of ['operator-token', 'secret-key', 'demo-api-key', 'simulator-token']) {
      assert.equal((await stat(path.join(DATA_DIR, name))).mode & 0o777, 0o600, name);
    }
  });

  it('plays the platform for a workspace that is applied later, and again after a restart', async () => {
    const [, url] = await running.says(/Majlis is ready at (http:\S+)$/m);
    const file = path.join(DATA_DIR, 'workspace.yaml');
    const [yaml] = (await readFile(operatingPage, 'utf8')).match(/(?<=```yaml\n)[\s\S]*?(?=```)/)!;
    const template = {
      name: 'hello',
      language: 'en',
      category: 'utility',
      components: [{ type: 'body', text: 'Hi.' }],
    };
    await writeFile(file, `${yaml}templates: [${JSON.stringify(template)}]\n`);
    const applied = await runMajlis(['apply', '-f', file, '--json', '--url', url!], { env: { DATA_DIR } });
    assert.equal(applied.code, 0, applied.stderr);
    const { key } = JSON.parse(applied.stdout).api_keys[0];

    const to = '+96891234000';
    const isRead = async (message: object) => {
      const [, here] = await running.says(/Majlis is ready at (http:\S+)$/m);
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const sent = await fetch(`${here}/v1/messages`, { method: 'POST', headers, body: JSON.stringify(message) });
      const { id } = (await sent.json()) as Answer;
      const read = () => fetch(`${here}/v1/messages/${id}`, { headers }).then((answer) => answer.json());
      const { status } = (await eventually(read, (body) => (body as Answer).status === 'read')) as Answer;
      assert.equal(status, 'read');
    };
    await isRead({ to, kind: 'template', template: { name: 'hello', language: 'en' } });

    running.child.kill('SIGTERM');
    await running.ended();
    running = start();
    await running.says(/^curl .*$/m);
    await writeAs(running, { phone_number_id: '300700', from: to, content: 'Is the shop open?' });
    await eventually(
      async () => {
        const [, here] = await running.says(/Majlis is ready at (http:\S+)$/m);
        const response = await fetch(`${here}/v1/conversations`, { headers: { authorization: `Bearer ${key}` } });
        return ((await response.json()) as { data: { window_expires_at?: string }[] }).data;
      },
      ([conversation]) => conversation?.window_expires_at !== undefined,
    );
    await isRead({ to, kind: 'text', body: 'Until ten.' });
  });

  it('ends with exit code 0 on SIGTERM, and shows no key at a later start, whose line works too', async () => {
    running.child.kill('SIGTERM');
    assert.deepEqual(await running.ended(), { code: 0, signal: null });
    running = start();
    await running.says(/^curl .*$/m);
    assert.doesNotMatch(running.stdout(), /mj_|Demo API key/);
    assert.equal((await paste(running)).status, 'queued');
  });

  it('starts again after it was killed', async () => {
    running.child.kill('SIGKILL');
    await running.ended();
    running = start();
    await running.says(/^curl .*$/m);
    assert.equal((await paste(running)).status, 'queued');
  });

  it('goes by the test clock with its platform: a customer who answers later answers then', async () => {
    const [, url] = await running.says(/Majlis is ready at (http:\S+)$/m);
    const env = { DATA_DIR, PORT: String(new URL(url!).port) };
    const command = startProcess('bin/majlis.js', ['clock', 'advance', '25h'], { env });
    assert.equal((await command.ended()).code, 0, command.stderr());
    const { conversation_id } = await paste(running);
    const closed = (await ask(`/conversations/${conversation_id}`)).window_expires_at;
    assert.ok(closed < command.stdout().trim());
    const said = await eventually(
      async () => {
        await writeAs(running, { phone_number_id: '300400', from: '+96891234567', content: 'Thank you!' });
        return (await ask(`/conversations/${conversation_id}`)).window_expires_at;
      },
      (expires) => expires > command.stdout().trim(),
    );
    assert.ok(said > closed);
  });
});

/** A message, a conversation or a list. */
interface Answer {
  id: string;
  conversation_id: string;
  status: string;
  window_expires_at: string;
  data: { direction: string }[];
}

/** What the shell makes of the line, without curl itself, which a machine may lack. */
async function paste(running: Process): Promise<Answer> {
  const [line] = await running.says(/^curl .*$/m);
  const print = `curl() { "$NODE" -e 'console.log(JSON.stringify(process.argv.slice(1)))' -- "$@"; }; ${line}`;
  const env = { ...process.env, NODE: process.execPath };
  const words: string[] = JSON.parse(execFileSync('sh', ['-c', print], { encoding: 'utf8', env }));
  const valuesOf = (option: string) => words.filter((_, index) => words[index - 1] === option);
  const headers = valuesOf('-H').map((header) => header.split(': ') as [string, string]);
  const response = await fetch(words.find((word) => word.startsWith('http')) ?? '', {
    method: valuesOf('-X')[0] ?? 'GET',
    headers,
    body: valuesOf('-d')[0] ?? null,
  });
  assert.equal(response.status, 201, await response.clone().text());
  return (await response.json()) as Answer;
}

/** A text from a customer, as the phone sends it. */
async function writeAs(
  running: Process,
  text: { phone_number_id: string; from: string; content: string },
): Promise<void> {
  const [, phone] = await running.says(/Customer phone\s+(http:\S+)$/m);
  const [, token] = await running.says(/Control token\s+(\S+)$/m);
  const response = await fetch(`${phone}/control/inbound`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'text', ...text }),
  });
  assert.equal(response.status, 201);
}
