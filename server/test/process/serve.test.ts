import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { type Simulator, startSimulator } from '@majlis/simulator';
import { cleanUp } from '@majlis/testing/cleanup';
import { makeFolder, type Process, runMajlis, startProcess } from '@majlis/testing/start-process';
import pg from 'pg';

const workspace = `
workspace: { name: Acme, country: OM }
channels:
  - { type: chatapp, name: Support, display_phone: "+96880000001", verified_name: Acme, waba_id: "100200", phone_number_id: "300400",
      access_token: platform-token, app_secret: platform-app-secret, verify_token: hub-verify-token }
users: [{ name: Aisha Said, email: aisha@acme.example, role: admin }]
api_keys: [{ name: backend, environment: test, scopes: ["messages:write"] }]
`;

describe('majlis serve', () => {
  let env: Record<string, string>;
  let simulator: Simulator;
  let running: Process;
  let url: string;

  async function start(): Promise<void> {
    running = startProcess('bin/majlis.js', ['serve'], { env });
    [, url = ''] = await running.says(/^Majlis is ready at (http:\S+)$/m);
  }

  before(async () => {
    simulator = await startSimulator({ port: 0 });
    cleanUp('the simulator', () => simulator.close());
    env = { DATA_DIR: await makeFolder(), PORT: '0', CHATAPP_API_URL: simulator.api_url, LOG_LEVEL: 'warn' };
    await start();
  });

  it('is ready when it says so, and prints nothing else', async () => {
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
    assert.equal(running.stdout(), `Majlis is ready at ${url}\n`);
    assert.equal(running.stderr(), '');
  });

  it('takes a workspace from a YAML file, and shows a new key once', async () => {
    const file = path.join(await makeFolder(), 'workspace.yaml');
    await writeFile(file, workspace);
    const first = await runMajlis(['apply', '-f', file, '--json', '--url', url], { env });
    const applied = JSON.parse(first.stdout);
    assert.equal(applied.workspace.name, 'Acme');
    assert.match(applied.api_keys[0].key, /^mj_test_/);
    const again = await runMajlis(['apply', '-f', file, '--url', url], { env });
    assert.match(again.stdout, /^workspace Acme: ws_\w+\nchannels:\n {2}ch_wa_\w+ {2}300400\nusers:\n/);
    assert.ok(again.stdout.includes(applied.api_keys[0].key_prefix));
    assert.ok(!again.stdout.includes(applied.api_keys[0].key));
  });

  it('warns of members of a workspace file that mean nothing, which are most likely misspelled', async () => {
    const file = path.join(await makeFolder(), 'workspace.yaml');
    const steps = '[{ do: send_message, text: Hello }]';
    const more = `workflows: [{ name: Welcome, trigger: api_call, steps: ${steps} }]\napi_key: []\nusers: [{ name: Omar, email: o@a.example, rolle: agent }]\n`;
    await writeFile(file, `workspace: { name: Acme, country: OM }\n${more}`);
    const { code, stderr } = await runMajlis(['apply', '-f', file, '--url', url], { env });
    const lines = ['/api_key', '/users/0/rolle'].map((pointer) => {
      return `majlis: ${file} has ${pointer}, which means nothing and is passed over\n`;
    });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: lines.join('') });
  });

  it('tells what is wrong with a workspace file in one line', async () => {
    const file = path.join(await makeFolder(), 'workspace.json');
    await writeFile(file, '{ "workspace": { "name": "" } }');
    const { code, stderr } = await runMajlis(['apply', '-f', file, '--url', url], { env });
    assert.equal(code, 1);
    assert.match(stderr, /^majlis: the service answers 422: .*\/workspace\/name.*\n$/);
  });

  it('refuses an operator token that is not its own, in one line', async () => {
    const others = { ...env, OPERATOR_TOKEN: 'of-another-service' };
    const { stderr } = await runMajlis(['clock', 'show', '--url', url], { env: others });
    assert.equal(stderr, `majlis: the service at ${url} does not accept the operator token\n`);
  });

  it('shows its clock, which is not moved in production', async () => {
    const shown = await runMajlis(['clock', 'show', '--url', url], { env });
    assert.match(shown.stdout, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\n$/);
    const { stderr } = await runMajlis(['clock', 'advance', '25h', '--url', url], { env });
    assert.equal(stderr, `majlis: the clock of the service at ${url} is not to be moved: start it with TEST_CLOCK=1\n`);
  });

  it('refuses a second service on its DATA_DIR, in one line', async () => {
    const { code, stderr } = await runMajlis(['serve'], { env });
    assert.equal(code, 1);
    assert.match(stderr, /^majlis: DATA_DIR .* is in use by another Majlis \(process \d+\): [^\n]*\n$/);
  });

  it('ends when the older Node.js that started it is killed, and leaves DATA_DIR to the next', async () => {
    running.child.kill('SIGKILL');
    await running.ended();
    const older = `data:text/javascript,if (!process.channel) Object.defineProperty(process.versions, 'node', { value: '20.0.0' })`;
    const outer = startProcess('bin/majlis.js', ['serve'], { env: { ...env, NODE_OPTIONS: `--import "${older}"` } });
    await outer.says(/^Majlis is ready at/m);
    outer.child.kill('SIGKILL');
    // Its output ends when the inner process has ended too.
    await outer.ended();
    env.LOG_LEVEL = 'info';
    await start();
  });

  it('ends with exit code 0 on Ctrl-C, which the terminal and npm both pass on', async () => {
    const { child } = running;
    // Once the first is heard, and at once then: what comes more than a second behind it counts as a second signal.
    child.stdout!.on('data', (text: string) => void (text.includes('SIGINT: stopping') && child.kill('SIGINT')));
    child.kill('SIGINT');
    await running.says('SIGINT: stopping');
    assert.deepEqual(await running.ended(), { code: 0, signal: null });
    const { stdout } = await runMajlis(['migrate'], { env });
    assert.equal(stdout, 'nothing to apply\n');
    assert.ok(!running.stdout().includes('SECRET_KEY'));
  });

  it('gives its embedded database room for all the connections that it is to have', async () => {
    running = startProcess('bin/majlis.js', ['serve'], { env: { ...env, DATABASE_POOL_SIZE: '150' } });
    await running.says(/^Majlis is ready at/m);
    const host = path.join(env.DATA_DIR!, 'postgresql', 'data');
    const client = new pg.Client({ host, user: 'majlis', database: 'majlis' });
    await client.connect();
    const { rows } = await client.query('show max_connections');
    await client.end();
    assert.ok(Number(rows[0].max_connections) > 2 * 150, rows[0].max_connections);
    running.child.kill('SIGTERM');
    await running.ended();
  });

  it('says when it starts with a key that is not the one of its secrets', async () => {
    running = startProcess('bin/majlis.js', ['serve'], { env: { ...env, SECRET_KEY: 'the key of another service' } });
    await running.says(/"channels":\[\{.*neither SECRET_KEY nor SECRET_KEY_OLD opens/);
    await running.says(/^Majlis is ready at/m);
    running.child.kill('SIGTERM');
    assert.deepEqual(await running.ended(), { code: 0, signal: null });
  });
});
