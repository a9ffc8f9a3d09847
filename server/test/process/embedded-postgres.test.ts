import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { makeFolder, type Process, startProcess } from '@majlis/testing/start-process';
import pg from 'pg';
import { isAlive } from '../../src/database/embedded/postmaster.ts';

interface Held extends Process {
  connection: pg.ClientConfig;
  adopted: boolean;
  pid: number;
}

describe('the embedded PostgreSQL', () => {
  let data_dir: string;
  let held: Held;

  before(async () => {
    data_dir = await makeFolder();
    held = await hold(data_dir);
    await query(held, 'create table kept (word text)');
  });

  it('listens on a socket in DATA_DIR alone, and commits durably', async () => {
    const [row] = await query(
      held,
      `select current_setting('listen_addresses') as listen, current_setting('fsync') as fsync,
              current_setting('synchronous_commit') as commits,
              current_setting('server_encoding') as encoding, current_setting('timezone') as timezone,
              upper('é') as upper, inet_server_addr() as address`,
    );
    const expected = {
      listen: '',
      fsync: 'on',
      commits: 'on',
      encoding: 'UTF8',
      timezone: 'UTC',
      upper: 'É',
      address: null,
    };
    assert.deepEqual(row, expected);
    assert.ok(String(held.connection.host).startsWith(data_dir));
    const folder = await stat(path.join(data_dir, 'postgresql'));
    assert.equal(folder.mode & 0o777, 0o700);
  });

  it('refuses a second service on the same DATA_DIR, in one line', async () => {
    const second = startProcess('test/process/hold-database.ts', [data_dir]);
    assert.equal((await second.ended()).code, 1);
    assert.equal(
      second.stderr(),
      `cannot run: DATA_DIR ${data_dir} is in use by another Majlis (process ${held.child.pid}): stop it, or set another DATA_DIR\n`,
    );
  });

  it('goes on when the service and its whole process group are killed, and the next service uses it further', async () => {
    const { pid } = held;
    await query(held, `insert into kept values ('before the kill')`);
    process.kill(-held.child.pid!, 'SIGKILL');
    await held.ended();
    held = await hold(data_dir);
    assert.deepEqual({ adopted: held.adopted, pid: held.pid }, { adopted: true, pid });
    assert.deepEqual(await query(held, 'select word from kept'), [{ word: 'before the kill' }]);
  });

  it('is started again when it dies, and has lost nothing that was committed', async () => {
    await query(held, `insert into kept values ('before its death')`);
    process.kill(held.pid, 'SIGKILL');
    await eventually(
      () => readPid(data_dir),
      (pid) => pid !== held.pid,
    );
    const words = await eventually(
      () => query(held, 'select word from kept').catch(() => []),
      (rows) => rows.length > 0,
    );
    assert.equal(words.length, 2);
    held.pid = await readPid(data_dir);
  });

  it('ends with the service that stops, and starts again with its data', async () => {
    held.child.kill('SIGTERM');
    assert.equal((await held.ended()).code, 0);
    assert.equal(await isAlive(clusterOf(data_dir), held.pid), false);
    held = await hold(data_dir);
    assert.equal(held.adopted, false);
    assert.equal((await query(held, 'select word from kept')).length, 2);
  });

  it('starts although another process bears the pid that its predecessor left behind', async () => {
    held.child.kill('SIGTERM');
    await held.ended();
    // Of the same user as PostgreSQL, which would take it for its predecessor.
    const stranger = startProcess('test/process/stranger.ts', [], await ownerOf(clusterOf(data_dir)));
    await stranger.says('here');
    const lines = [stranger.child.pid, clusterOf(data_dir), 1, 5432, '.', '', '  1  1', 'ready   '];
    await writeFile(path.join(clusterOf(data_dir), 'postmaster.pid'), `${lines.join('\n')}\n`);
    await writeFile(path.join(clusterOf(data_dir), '.s.PGSQL.5432.lock'), `${lines.join('\n')}\n`);
    held = await hold(data_dir);
    assert.equal(held.adopted, false);
    assert.equal(stranger.child.exitCode, null);
  });

  it('says so when the database was made by another PostgreSQL', async () => {
    held.child.kill('SIGTERM');
    await held.ended();
    const file = path.join(clusterOf(data_dir), 'PG_VERSION');
    const version = await readFile(file, 'utf8');
    await writeFile(file, '17\n');
    assert.match(await refusalOf(data_dir), /^the database in .* was made by PostgreSQL 17 and this Majlis brings 18:/);
    await writeFile(file, version);
  });
});

describe('the first start of the embedded PostgreSQL', () => {
  it('says in one line that its folder has lost what it needs', async () => {
    const folder = await makeFolder();
    const place = path.join(folder, 'postgresql', 'data');
    await mkdir(path.join(place, 'base'), { recursive: true });
    const broken = startProcess('test/process/hold-database.ts', [folder]);
    assert.equal((await broken.ended()).code, 1);
    const remedy = 'restore it from a backup, or move it away to begin with an empty database';
    assert.equal(broken.stderr(), `cannot run: ${place} has files but no PG_VERSION: ${remedy}\n`);
  });

  it('begins anew where an earlier one was killed while it made the cluster', async () => {
    const data_dir = await makeFolder();
    const folder = path.join(data_dir, 'postgresql');
    const first = startProcess('test/process/hold-database.ts', [data_dir]);
    await eventually(
      () => readdir(folder).catch(() => []),
      (names) => names.some((name) => name.startsWith('new-')),
    );
    first.child.kill('SIGKILL');
    await first.ended();
    await mkdir(path.join(folder, 'new-of-another-start', 'base'), { recursive: true });
    const held = await hold(data_dir);
    assert.deepEqual(await query(held, 'select 1 as one'), [{ one: 1 }]);
    assert.ok(!(await readdir(folder)).includes('new-of-another-start'));
    await stop(held);
  });

  it('listens on loopback with a random password where the path is too long for a socket', async () => {
    const data_dir = path.join(await makeFolder(), 'x'.repeat(50), 'y'.repeat(50));
    const held = await hold(data_dir);
    const { host, password } = held.connection;
    assert.equal(host, '127.0.0.1');
    assert.match(String(password), /^[\w-]{32}$/);
    assert.deepEqual(await query(held, 'select 1 as one'), [{ one: 1 }]);
    const other = new pg.Client({ ...held.connection, password: 'guessed' });
    await assert.rejects(other.connect(), /password authentication failed/);
    await stop(held);
  });

  it('says in one line that DATA_DIR cannot be written', async () => {
    const folder = await makeFolder();
    const file = path.join(folder, 'a-file');
    await writeFile(file, '');
    assert.equal(await refusalOf(file), `DATA_DIR ${file} cannot be used: it is not a folder (${file})`);
    const nowhere = '/proc/majlis';
    assert.match(await refusalOf(nowhere), /^DATA_DIR \/proc\/majlis cannot be used: /);
    const locked = path.join(folder, 'locked');
    await mkdir(locked);
    await chmod(locked, 0o500);
    const reason = /^DATA_DIR .*locked\/data cannot be used: permission denied \(.*\)$/;
    assert.match(await refusalOf(path.join(locked, 'data'), await anotherUser()), reason);
  });

  it('runs as the user who starts it, or as an unprivileged one below a folder closed to it', async () => {
    // A folder of mkdtemp has mode 0700, as /root has.
    const data_dir = path.join(await makeFolder(), 'data');
    const held = await hold(data_dir);
    const { uid } = await ownerOf(clusterOf(data_dir));
    if (process.getuid?.() === 0) assert.notEqual(uid, 0);
    else assert.equal(uid, process.getuid?.());
    await stop(held);
  });

  it('runs for a user who is not root', async () => {
    const user = await anotherUser();
    const data_dir = await makeFolder();
    if (user.uid !== undefined) execFileSync('chown', [`${user.uid}:${user.gid}`, data_dir]);
    const held = await hold(data_dir, user);
    const owner = await ownerOf(clusterOf(data_dir));
    assert.equal(owner.uid, user.uid ?? process.getuid?.());
    assert.deepEqual(await query(held, 'select 1 as one'), [{ one: 1 }]);
    await stop(held);
  });
});

async function hold(data_dir: string, user: User = {}): Promise<Held> {
  const started = startProcess('test/process/hold-database.ts', [data_dir], user);
  const [line] = await started.says(/^\{.*\}$/m);
  return { ...started, ...JSON.parse(line) };
}

async function stop(held: Held): Promise<void> {
  held.child.kill('SIGTERM');
  await held.ended();
}

async function refusalOf(data_dir: string, user: User = {}): Promise<string> {
  const started = startProcess('test/process/hold-database.ts', [data_dir], user);
  assert.equal((await started.ended()).code, 1);
  const [, line] = /^cannot run: (.*)\n$/.exec(started.stderr()) ?? assert.fail(started.stderr());
  return line ?? '';
}

async function query({ connection }: Held, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

function clusterOf(data_dir: string): string {
  return path.join(data_dir, 'postgresql', 'data');
}

async function readPid(data_dir: string): Promise<number> {
  const text = await readFile(path.join(clusterOf(data_dir), 'postmaster.pid'), 'utf8').catch(() => '');
  return Number(text.split('\n')[0]);
}

interface User {
  uid?: number;
  gid?: number;
}

async function ownerOf(file: string): Promise<{ uid: number; gid: number }> {
  const { uid, gid } = await stat(file);
  return { uid, gid };
}

/** Someone who is not root: when root runs the tests, `nobody`. */
async function anotherUser(): Promise<User> {
  if (process.getuid?.() !== 0) return {};
  const users = await readFile('/etc/passwd', 'utf8');
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+)/m.exec(users) ?? assert.fail('no user nobody');
  return { uid: Number(uid), gid: Number(gid) };
}
