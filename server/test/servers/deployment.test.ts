import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chown, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startSimulator } from '@majlis/simulator';
import { cleanUp, within } from '@majlis/testing/cleanup';
import { freePort } from '@majlis/testing/free-port';
import type { AnyJson } from '@majlis/testing/json';
import { repeatUntil } from '@majlis/testing/repeat-until';
import { launchProgram, runProgram } from '@majlis/testing/run-program';
import { makeFolder, runMajlis } from '@majlis/testing/start-process';
import { parse } from 'yaml';
import { readConfig } from '../../src/process/config.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const readDeployed = (name: string) => readFile(path.join(root, 'deploy', name), 'utf8');
const nobody = 65_534;

describe('the container file', async () => {
  const lines = (await readDeployed('Dockerfile')).replaceAll('\\\n', '').split('\n');
  const last = (instruction: string) => {
    const found = lines.filter((line) => line.startsWith(`${instruction} `)).at(-1);
    return found!.slice(instruction.length + 1);
  };
  const command = JSON.parse(last('CMD')) as string[];
  const check = JSON.parse(last('HEALTHCHECK').replace(/^.*? CMD /, '')) as string[];
  const given = Object.fromEntries(
    last('ENV')
      .split(' ')
      .map((one) => one.split('=')),
  ) as Record<string, string>;

  it('has a command that serves on a read-only root, as somebody other than root, and a check of its health', async () => {
    assert.equal(last('USER'), 'node');
    const simulator = await startSimulator({ port: 0 });
    cleanUp('the simulator', () => simulator.close());
    const data = await makeFolder();
    await chown(data, nobody, nobody);
    const env = { ...given, PORT: String(await freePort()), CHATAPP_API_URL: simulator.api_url };
    // The tree stands in /opt, the volume in /mnt, /tmp is empty, and nothing else can be written.
    const mounts = `mount --make-rprivate / && mount --bind ${root} /opt && mount --bind ${data} /mnt &&
      mount -t tmpfs tmpfs /tmp && chmod 1777 /tmp && mount -o remount,bind,ro / && mount -o remount,bind,ro /opt && cd /opt`;
    const contained = (args: string[]) => [
      ...['--mount', 'sh', '-c', `${mounts} && exec setpriv --reuid ${nobody} --regid ${nobody} --clear-groups "$@"`],
      ...['sh', 'env', 'PATH=/opt/node_modules/.bin:/usr/bin:/bin', 'DATA_DIR=/mnt', ...args],
    ];
    const running = launchProgram('unshare', contained(command), { env });
    const isHealthy = async () => (await runProgram('unshare', contained(check), { env })).code === 0;
    await repeatUntil(isHealthy, () => assert.equal(running.child.exitCode, null, running.output()), 120_000);
    const refused = await runProgram('unshare', contained(['touch', '/opt/package.json', '/etc/majlis']), { env });
    assert.match(refused.output, /package.json.*denied(.|\n)*majlis.*Read-only/);

    running.child.kill('SIGTERM');
    const { code } = await within(running.ended, 60_000, 'the service has ended');
    assert.equal(code, 0, running.output());
    assert.equal(await isHealthy(), false);
    assert.ok((await readdir(data)).includes('operator-token'));
    assert.equal((await stat(path.join(data, 'operator-token'))).uid, nobody);
  });

  it('brings no data, no history and nothing that is built elsewhere', async () => {
    const ignored = (await readFile(path.join(root, '.dockerignore'), 'utf8')).trim().split('\n');
    for (const item of ['.git', '**/node_modules', 'data', '**/dist']) assert.ok(ignored.includes(item), item);
  });
});

describe('the compose file', async () => {
  const values: Record<string, string> = {
    MAJLIS_DOMAIN: 'majlis.example.com',
    CHATAPP_API_URL: 'https://platform.example/v24.0',
    POSTGRES_PASSWORD: 'letters1',
  };
  const text = await readDeployed('compose.yaml');
  const { services, networks, volumes } = parse(
    text.replaceAll(/\$\{(\w+)[^}]*\}/g, (_, name: string) => values[name] ?? assert.fail(name)),
  ) as AnyJson;

  it('names settings of the service with values that it takes', async () => {
    const { environment } = services.majlis;
    const { stdout: help } = await runMajlis(['serve', '--help']);
    for (const name of Object.keys(environment)) assert.match(help, new RegExp(`\\b${name}\\b`));
    const { databaseUrl, publicUrl, trustedProxies } = readConfig({ ...environment, DATA_DIR: '/data' }, 'serve');
    const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = services.postgres.environment;
    assert.equal(databaseUrl, `postgres://${POSTGRES_USER}:${POSTGRES_PASSWORD}@postgres:5432/${POSTGRES_DB}`);
    assert.equal(publicUrl, 'https://majlis.example.com');
    assert.deepEqual(trustedProxies, [networks.default.ipam.config[0].subnet]);
  });

  it('runs the service without rights, and shows the proxy alone', () => {
    const { read_only, cap_drop, security_opt, tmpfs } = services.majlis;
    assert.deepEqual([read_only, cap_drop, security_opt, tmpfs], [true, ['ALL'], ['no-new-privileges:true'], ['/tmp']]);
    const open = Object.keys(services).filter((name) => services[name].ports);
    assert.deepEqual(open, ['proxy']);
  });

  it('names files and volumes that exist', () => {
    const { context, dockerfile } = services.majlis.build;
    assert.ok(existsSync(path.resolve(root, 'deploy', context, dockerfile)));
    for (const { volumes: mounted } of Object.values<AnyJson>(services)) {
      for (const source of mounted.map((one: string) => one.split(':')[0]!)) {
        const exists = source.startsWith('.') ? existsSync(path.resolve(root, 'deploy', source)) : source in volumes;
        assert.ok(exists, source);
      }
    }
  });
});

describe('the systemd unit', () => {
  it('is one that systemd takes, and leaves the service few rights', async () => {
    const unit = (await readDeployed('majlis.service'))
      .replaceAll('/opt/majlis', root.replace(/\/$/, ''))
      .replaceAll('/usr/bin/node', process.execPath)
      .replaceAll(/^(User|Group)=majlis$/gm, '$1=daemon');
    const folder = await makeFolder();
    const file = path.join(folder, 'majlis.service');
    await writeFile(file, unit);
    const verified = await runProgram('systemd-analyze', ['verify', '--man=no', file]);
    assert.deepEqual(verified, { code: 0, output: '' });
    // In tenths: 100 is a service with every right.
    const rights = ['security', '--offline=yes', '--threshold=35', file];
    const { code, output } = await runProgram('systemd-analyze', rights);
    assert.equal(code, 0, output);
  });

  it('starts the program of this tree', async () => {
    const unit = await readDeployed('majlis.service');
    const [, program] = /^ExecStart=\/usr\/bin\/node \/opt\/majlis\/(\S+) serve$/m.exec(unit)!;
    assert.ok(existsSync(path.join(root, program!)));
    const settings = [...unit.matchAll(/^Environment=(\w+)=/gm)].map(([, name]) => name!);
    assert.deepEqual(settings, ['NODE_ENV', 'DATA_DIR']);
  });
});
