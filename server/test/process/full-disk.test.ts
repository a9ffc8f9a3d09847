import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { type Simulator, startSimulator } from '@majlis/simulator';
import { cleanUp } from '@majlis/testing/cleanup';
import { eventually } from '@majlis/testing/eventually';
import { sized, uploadFile } from '@majlis/testing/media';
import { makeFolder, type Process, startProcess } from '@majlis/testing/start-process';

const mebibyte = 1_048_576;
const canMount = process.platform === 'linux' && process.getuid?.() === 0;
const operatorToken = 'operator-token-of-the-test-of-a-full-disk';

describe('majlis serve on a small disk', { skip: !canMount && 'only root can mount a small disk' }, () => {
  let simulator: Simulator;
  let disk: string;
  let data_dir: string;
  let running: Process;
  let url: string;
  let key: string;
  let contacts = 0;

  before(async () => {
    simulator = await startSimulator({ port: 0 });
    cleanUp('the simulator', () => simulator.close());
    disk = await makeFolder();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=260m,mode=755', 'tmpfs', disk]);
    cleanUp('the disk', () => execFileSync('umount', ['-l', disk]));
    cleanUp('the service', () => stop());
    data_dir = path.join(disk, 'data');
    await mkdir(data_dir);
    await start();
    const { body } = await operator('PUT', '/workspaces', {
      workspace: { name: 'Acme', country: 'OM' },
      channels: [
        {
          ...{
            type: 'chatapp',
            name: 'Support',
            display_phone: '+96880000001',
            waba_id: '100200',
            phone_number_id: '300400',
          },
          ...{ access_token: 'platform-token', app_secret: 'platform-app-secret', verify_token: 'hub-verify-token' },
        },
      ],
      api_keys: [{ name: 'backend', scopes: ['messages:write', 'contacts:read', 'contacts:write'] }],
    });
    key = body.api_keys[0].key;
  });

  async function start(): Promise<void> {
    const env = {
      DATA_DIR: data_dir,
      PORT: '0',
      CHATAPP_API_URL: simulator.api_url,
      RATE_LIMITS: 'off',
      TEST_CLOCK: '1',
    };
    running = startProcess('bin/majlis.js', ['serve'], {
      env: { ...env, OPERATOR_TOKEN: operatorToken, LOG_LEVEL: 'warn' },
    });
    [, url = ''] = await running.says(/^Majlis is ready at (http:\S+)$/m);
  }

  /** PostgreSQL ends with the service that is told to stop. */
  async function stop(): Promise<void> {
    running?.child.kill('SIGTERM');
    await running?.ended(15_000);
  }

  async function ask(method: string, address: string, token: string, body?: object) {
    const response = await fetch(`${url}${address}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
  }
  const operator = (method: string, address: string, body: object) =>
    ask(method, `/operator${address}`, operatorToken, body);
  const write = () =>
    ask('POST', '/v1/contacts', key, {
      name: 'Ali'.repeat(100),
      identities: [{ channel_type: 'chatapp', identifier: `+9689${1_000_000 + contacts++}` }],
    });
  const ready = () => ask('GET', '/readyz', '');
  const measured = async (name: 'free' | 'reserve') => {
    const metrics = (await ask('GET', '/metrics', '')).body as string;
    return Number(new RegExp(`^majlis_disk_${name}_bytes (\\d+)`, 'm').exec(metrics)?.[1]);
  };
  const upload = (megabytes: number) =>
    uploadFile({ url }, { key }, sized(Buffer.from('%PDF-1.4\n'), megabytes * mebibyte));

  /** Takes all room that is left, as another program does. */
  async function fillDisk(): Promise<void> {
    const file = await open(path.join(disk, 'other'), 'a');
    for (let size = 4 * mebibyte; size >= 4_096; ) {
      await file.write(Buffer.alloc(size, 1)).catch(() => {
        size /= 2;
      });
    }
    await file.close();
  }

  /** Writes are answered as stored, or as not possible at the moment. */
  async function assertNoFault(writes: number): Promise<void> {
    for (let n = 0; n < writes; n++) {
      const { status, body } = await write();
      assert.ok(status === 201 || status === 503, JSON.stringify({ status, body }));
    }
  }

  it('refuses uploads at the reserve, says so, and goes on with everything else', async () => {
    await eventually(
      () => existsSync(path.join(data_dir, 'postgresql', 'ballast')),
      (written) => written,
    );
    assert.deepEqual((await ready()).body, { status: 'ready' });
    let [refused, taken] = [await upload(1), 0];
    for (const megabytes of [5, 1, 0.125]) {
      // What is written during a measurement of the disk counts twice until the next one, so that a file may be refused early.
      [refused] = await eventually(
        async () => {
          const answer = await upload(megabytes);
          if (answer.status === 201) taken++;
          return [answer, await measured('free')] as const;
        },
        ([{ status }, free]) => status === 503 && free < (64 + megabytes + 1) * mebibyte,
      );
    }
    assert.ok(taken > 6, `${taken} uploads were tried`);
    assert.deepEqual([refused.status, refused.body.code], [503, 'service_unavailable']);
    assert.match(refused.body.detail, /no room for files/);
    assert.equal(refused.headers.get('retry-after'), '60');
    const { status, body } = await eventually(ready, (answer) => answer.body.disk !== undefined);
    assert.deepEqual([status, body], [200, { status: 'ready', disk: 'at its reserve: no files are taken' }]);
    for (let n = 0; n < 300; n++) assert.equal((await write()).status, 201);
    assert.equal(await measured('reserve'), 64 * mebibyte);
    assert.ok((await measured('free')) > 16 * mebibyte, `${await measured('free')} bytes are free`);
  });

  it('is not ready while another program fills the disk, starts on the full disk, and recovers when room returns', async () => {
    await fillDisk();
    const full = await eventually(ready, ({ status }) => status === 503);
    assert.deepEqual(full.body, { status: 'the disk is full' });
    await assertNoFault(50);

    // The whole machine goes down, PostgreSQL too.
    execFileSync('sh', [
      '-c',
      `kill -9 -${running.child.pid}; kill -9 $(head -1 ${data_dir}/postgresql/data/postmaster.pid)`,
    ]);
    await running.ended();
    await fillDisk();
    await start();
    const started = await ready();
    assert.ok(started.status === 503 || started.body.disk !== undefined, JSON.stringify(started));
    assert.match(running.stdout() + running.stderr(), /the ballast beside the database was removed/);

    await fillDisk();
    await eventually(ready, ({ status }) => status === 503);
    await assertNoFault(50);
    await rm(path.join(disk, 'other'));
    await eventually(ready, ({ status }) => status === 200);
    await eventually(write, ({ status }) => status === 201);
  });
});
