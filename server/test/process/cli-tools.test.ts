import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { eventually } from '@majlis/testing/eventually';
import { receiveTexts } from '@majlis/testing/notifications';
import { runMajlis, startProcess } from '@majlis/testing/start-process';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { startWebhookReceiver } from '@majlis/testing/webhook-receiver';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const { simulator } = majlis;
const bin = path.join(import.meta.dirname, '../../../node_modules/.bin');

const envOf = ({ key }: TestWorkspace) => ({
  MAJLIS_KEY: key,
  MAJLIS_URL: majlis.url,
  SIMULATOR_TOKEN: simulator.control_token,
});

describe('majlis trigger', () => {
  for (const type of ['message.received', 'message.status_updated', 'template.status_updated']) {
    it(`makes ${type} happen, and prints the event`, async () => {
      const workspace = await majlis.workspace();
      const args = ['trigger', type, '--simulator', simulator.url, '--json'];
      const { code, stdout, stderr } = await runMajlis(args, { env: envOf(workspace) });
      assert.equal(code, 0, stderr);
      const event = JSON.parse(stdout);
      assert.equal(event.type, type);
      const { data } = (await workspace.api.get(`/events?types=${type}`)).body;
      assert.deepEqual(event, data[0]);
    });
  }

  it('leaves the template approved, as it was', async () => {
    const workspace = await majlis.workspace();
    const args = [
      'trigger',
      'template.status_updated',
      '--simulator',
      simulator.url,
      '--template',
      'spring_sale',
      '-q',
    ];
    assert.equal((await runMajlis(args, { env: envOf(workspace) })).code, 0);
    const { data } = await eventually(
      async () => (await workspace.api.get('/chatapp/templates')).body,
      ({ data }) => data.every(({ status }: { status: string }) => status === 'approved'),
    );
    assert.equal(data.length, 2);
  });

  it('says what is missing: the event, the simulator, its token', async () => {
    const env = envOf(await majlis.workspace());
    const unknown = await runMajlis(['trigger', 'message.read'], { env });
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /Allowed choices are message\.received, message\.status_updated, template\./);
    const away = await runMajlis(['trigger', 'message.received', '--simulator', 'http://127.0.0.1:1'], { env });
    assert.equal(away.code, 8);
    assert.match(away.stderr, /^majlis: No simulator answers at http:\/\/127\.0\.0\.1:1: npm start runs one/);
    const { SIMULATOR_TOKEN: _, ...without } = env;
    assert.equal((await runMajlis(['trigger', 'message.received'], { env: without })).code, 3);
  });
});

describe('majlis logs tail', () => {
  it('prints the attempts of before, and each new one once', async () => {
    const workspace = await majlis.workspace();
    const receiver = await startWebhookReceiver();
    const { id } = (await workspace.api.post('/webhook-endpoints', { url: receiver.url, events: ['*'] })).body;
    const untilListed = (count: number) =>
      eventually(
        async () => (await workspace.api.get(`/webhook-endpoints/${id}/deliveries`)).body.data.length,
        (length) => length === count,
      );
    await receiveTexts(majlis, workspace, 2);
    await untilListed(2);
    const tail = startProcess('bin/majlis.js', ['logs', 'tail', '--json'], { env: envOf(workspace) });
    await tail.says(/(.*\n){2}/);
    receiver.answer(500);
    await receiveTexts(majlis, workspace, 3);
    await untilListed(5);
    await tail.says(/(.*\n){5}/);
    const lines = tail
      .stdout()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.equal(new Set(lines.map((line) => line.id)).size, 5);
    assert.deepEqual(
      lines.map(({ response_status }) => response_status),
      [200, 200, 500, 500, 500],
    );
    assert.ok(lines.every(({ endpoint_id }) => endpoint_id === id));
    const unknown = await runMajlis(['logs', 'tail', '--endpoint', 'whe_none'], { env: envOf(workspace) });
    assert.equal(unknown.code, 4);
  });
});

describe('majlis open', () => {
  it('prints the address of the console and of the reference', async () => {
    const env = envOf(await majlis.workspace());
    assert.equal((await runMajlis(['open'], { env })).stdout, `${majlis.url}/\n`);
    assert.equal((await runMajlis(['open', 'docs'], { env })).stdout, `${majlis.url}/docs\n`);
    assert.equal((await runMajlis(['open', 'door'], { env })).code, 2);
  });
});

describe('majlis completion', () => {
  /** What bash would offer for the last word. */
  async function complete(...words: string[]): Promise<string[]> {
    const script = `source <(majlis completion bash); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _majlis; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
    const { stdout } = await promisify(execFile)('bash', ['-c', script, 'bash', 'majlis', ...words], { env });
    return stdout.trim().split('\n');
  }

  it('completes commands, verbs, options and choices in bash', async () => {
    assert.deepEqual(await complete('conv'), ['conversations']);
    assert.deepEqual(await complete('contacts', 'up'), ['upsert', 'update']);
    assert.deepEqual(await complete('conversations', 'list', '--st'), ['--status', '--stage-id']);
    assert.deepEqual(await complete('conversations', 'list', '--status', ''), ['open', 'closed']);
    assert.deepEqual(await complete('contacts', 'get', '--profile', 'x', '--js'), ['--json']);
    assert.deepEqual(await complete('trigger', 'message.r'), ['message.received']);
    assert.ok(!(await complete('')).some((word) => word.startsWith('_')));
  });

  it('has a script for each of the shells it names', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      assert.match((await runMajlis(['completion', shell])).stdout, /majlis __complete -- /);
    }
    const { code, stderr } = await runMajlis(['completion', 'tcsh']);
    assert.equal(code, 2);
    assert.match(stderr, /Allowed choices are bash, zsh, fish\./);
  });
});
