import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createServer as serveHttp } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cleanUp } from '@majlis/testing/cleanup';
import { freePort } from '@majlis/testing/free-port';
import { onceWithin } from '@majlis/testing/once-within';
import { makeFolder, runMajlis, startProcess } from '@majlis/testing/start-process';

const platform = 'http://127.0.0.1:1/v24.0';

describe('majlis', () => {
  it('lists its commands', async () => {
    const { code, stdout } = await runMajlis(['--help']);
    assert.equal(code, 0);
    for (const command of ['dev', 'serve', 'apply', 'clock', 'openapi', 'migrate']) {
      assert.match(stdout, new RegExp(`^  ${command} `, 'm'));
    }
  });

  it('prints the OpenAPI document', async () => {
    const { code, stdout } = await runMajlis(['openapi']);
    assert.equal(code, 0);
    assert.equal(JSON.parse(stdout).openapi, '3.1.0');
  });

  it('ends quietly where nobody reads on', async () => {
    const program = fileURLToPath(new URL('../../bin/majlis.js', import.meta.url));
    const env = { ...process.env, NODE: process.execPath, PROGRAM: program };
    const line = '"$NODE" "$PROGRAM" openapi | head -1';
    const { stdout, stderr } = await promisify(execFile)('sh', ['-c', line], { env });
    assert.deepEqual({ stdout, stderr }, { stdout: '{\n', stderr: '' });
  });

  it('runs itself with the pinned Node.js when it is started with an older one, and ends as that does', async () => {
    const older = `data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '20.0.0' })`;
    const version = await runMajlis(['--version'], { node_args: ['--import', older] });
    assert.deepEqual(version, { code: 0, stdout: '0.1.0\n', stderr: '' });
    const { code, stderr } = await runMajlis(['serve'], { node_args: ['--import', older] });
    assert.deepEqual(
      { code, stderr },
      { code: 1, stderr: "majlis: CHATAPP_API_URL is not set: the base URL of the platform's API\n" },
    );
  });
});

describe('a start that cannot be', () => {
  const refusals: [string, Record<string, string>, string][] = [
    ['a setting is missing', {}, "CHATAPP_API_URL is not set: the base URL of the platform's API"],
    ['a setting does not parse', { PORT: 'eighty' }, 'PORT is "eighty", but must be a whole number from 0 to 65535'],
    [
      'a lease ends before the platform may answer',
      { CHATAPP_API_URL: platform, PLATFORM_TIMEOUT_SECONDS: '26' },
      'LEASE_SECONDS is 30, but must be at least PLATFORM_TIMEOUT_SECONDS (26) plus 5',
    ],
    [
      'the database is away',
      { CHATAPP_API_URL: platform, PORT: '0', DATABASE_URL: 'postgres://majlis@127.0.0.1:1/majlis' },
      'DATABASE_URL: the database cannot be reached: connect ECONNREFUSED 127.0.0.1:1',
    ],
    [
      'DATA_DIR is a file',
      { CHATAPP_API_URL: platform, PORT: '0', DATA_DIR: '/etc/passwd' },
      'DATA_DIR /etc/passwd cannot be used: it is not a folder (/etc/passwd/operator-token)',
    ],
  ];
  for (const [reason, env, line] of refusals) {
    it(`ends with one line and exit code 1 where ${reason}`, async () => {
      const result = await runMajlis(['serve'], { env: { DATA_DIR: await makeFolder(), ...env } });
      assert.deepEqual(result, { code: 1, stdout: '', stderr: `majlis: ${line}\n` });
    });
  }

  it('names the port that is taken, before it makes a database', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    cleanUp('the other program', () => server.close());
    await onceWithin(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const DATA_DIR = path.join(await makeFolder(), 'data');
    const served = await runMajlis(['serve'], { env: { DATA_DIR, PORT: String(port), CHATAPP_API_URL: platform } });
    assert.equal(
      served.stderr,
      `majlis: PORT ${port} is taken by another program on 127.0.0.1: end it, or choose another port\n`,
    );
    const developed = await runMajlis(['dev'], { env: { DATA_DIR, PORT: '0', SIMULATOR_PORT: String(port) } });
    assert.match(developed.stderr, new RegExp(`^majlis: SIMULATOR_PORT ${port} is taken by another program on .*\\n$`));
  });
});

describe('majlis dev', () => {
  it('names every setting in its help', async () => {
    const { stdout, code } = await runMajlis(['dev', '--help']);
    assert.equal(code, 0);
    for (const name of ['PORT', 'SIMULATOR_PORT', 'DATA_DIR', 'DATABASE_URL', 'S3_BUCKET', 'AI_BASE_URL', 'SMTP_URL']) {
      assert.match(stdout, new RegExp(`\\b${name}\\b`), name);
    }
  });

  it('takes its ports as options, and says of a taken one that another Majlis has it', async () => {
    const DATA_DIR = await makeFolder();
    const env = { PORT: '1', SIMULATOR_PORT: '2' };
    const [port, simulator_port] = await Promise.all([freePort(), freePort()]);
    const first = startProcess(
      'bin/majlis.js',
      [
        ...[
          'dev',
          '--empty',
          '--data-dir',
          DATA_DIR,
          '--port',
          String(port),
          '--simulator-port',
          String(simulator_port),
        ],
      ],
      { env },
    );
    const [, url] = await first.says(/Majlis is ready at (http:\S+)$/m);
    assert.equal(url, `http://127.0.0.1:${port}`);
    assert.match(first.stdout(), new RegExp(`Customer phone +http://127.0.0.1:${simulator_port}$`, 'm'));

    const again = ['dev', '--empty', '--data-dir', await makeFolder(), '--port', String(port), '--simulator-port'];
    const second = await runMajlis([...again, '0']);
    assert.equal(
      second.stderr,
      `majlis: PORT ${port} is taken by another Majlis on 127.0.0.1: end it, or choose another port\n`,
    );
    const third = await runMajlis([...again, String(simulator_port)]);
    assert.match(
      third.stderr,
      new RegExp(`^majlis: SIMULATOR_PORT ${simulator_port} is taken by another Majlis's simulator`),
    );
  });
});

describe('majlis conform', () => {
  it('ends with one line and exit code 2 where the port for events is taken', async () => {
    const deployment = serveHttp((_request, response) => response.end('{}')).listen(0, '127.0.0.1');
    const taken = createServer().listen(0);
    for (const server of [deployment, taken]) cleanUp('a server', () => server.close());
    await Promise.all([onceWithin(deployment, 'listening'), onceWithin(taken, 'listening')]);
    const { port } = taken.address() as AddressInfo;
    const url = `http://127.0.0.1:${(deployment.address() as AddressInfo).port}`;
    const args = ['conform', '--url', url, '--key', 'mj_test_key', '--only', 'webhooks', '--webhook-port'];
    const line = `majlis: port ${port} cannot receive events: it is taken by another program\n`;
    assert.deepEqual(await runMajlis([...args, String(port)]), { code: 2, stdout: '', stderr: line });
    const { code, stderr } = await runMajlis([...args, '70000']);
    assert.equal(code, 2);
    assert.match(stderr, /^majlis: port 70000 cannot receive events: [^\n]+\n$/);
  });
});

describe('a command to a running service', () => {
  it('says in one line that none answers', async () => {
    const env = { PORT: '2', OPERATOR_TOKEN: 'some-operator-token' };
    const { code, stderr } = await runMajlis(['clock', 'show'], { env });
    const line = 'no service answers at http://127.0.0.1:2 (ECONNREFUSED): start it, or name it with --url';
    assert.deepEqual({ code, stderr }, { code: 1, stderr: `majlis: ${line}\n` });
  });

  it('says in one line that it has no operator token', async () => {
    const DATA_DIR = await makeFolder();
    const { stderr } = await runMajlis(['clock', 'advance', '25h'], { env: { DATA_DIR } });
    const line = `no operator token: set OPERATOR_TOKEN, or DATA_DIR to that of the service (no ${DATA_DIR}/operator-token)`;
    assert.equal(stderr, `majlis: ${line}\n`);
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`tells on ${signal} from where to go on with the feed`, async () => {
      const feed = serveHttp((_request, response) => response.end('{"data":[{"id":"evt_1"}],"next_cursor":"7"}'));
      cleanUp('the feed', () => feed.close());
      feed.listen(0, '127.0.0.1');
      await onceWithin(feed, 'listening');
      const url = `http://127.0.0.1:${(feed.address() as AddressInfo).port}`;
      const env = { OPERATOR_TOKEN: 'some-operator-token' };
      const following = startProcess('bin/majlis.js', ['events', '--follow', '--url', url], { env });
      await following.says('evt_1');
      following.child.kill(signal);
      assert.deepEqual(await following.ended(), { code: 0, signal: null });
      assert.equal(following.stderr(), 'majlis: go on with --since 7\n');
    });
  }

  it('says in one line what is wrong with its input', async () => {
    const env = { OPERATOR_TOKEN: 'some-operator-token' };
    const clock = await runMajlis(['clock', 'advance', 'tomorrow'], { env });
    assert.equal(clock.stderr, 'majlis: "tomorrow" is not a time such as 25h, 90m, 30s or 1d12h\n');
    const file = path.join(await makeFolder(), 'workspace.yaml');
    const missing = await runMajlis(['apply', '-f', file], { env });
    assert.equal(missing.stderr, `majlis: ${file} cannot be read: there is no such file\n`);
    await writeFile(file, 'workspace: { name: Acme');
    const broken = await runMajlis(['apply', '-f', file], { env });
    assert.match(broken.stderr, /^majlis: .*workspace\.yaml is neither YAML nor JSON: [^\n]*\n$/);
  });
});
