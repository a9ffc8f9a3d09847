import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { cleanUp, within } from '../src/cleanup.ts';
import { eventually } from '../src/eventually.ts';

const program = fileURLToPath(new URL('../src/runner/run-tests.ts', import.meta.url));
const intro = `import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
`;
// In a session of its own, out of reach of a signal to the group.
const leave = `const left = spawn('sleep', ['600'], { detached: true, stdio: 'inherit' });
left.unref();
`;

interface Runner {
  child: ChildProcess;
  /** The folder of its test files. */
  folder: string;
  /** The exit code, the last 60 lines, and how many seconds it took. */
  ended: Promise<{ code: number | null; last_lines: string; seconds: number }>;
}

/** Runs the test files as a run of its own. */
async function start(files: Record<string, string>, options: string[] = []): Promise<Runner> {
  const folder = await mkdtemp(path.join(tmpdir(), 'runner-'));
  cleanUp('folder', () => rm(folder, { recursive: true, force: true }));
  const names = Object.keys(files).filter((name) => name.endsWith('.test.ts'));
  const paths = names.map((name) => path.join(folder, name));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), intro + text);
  const child = spawn(process.execPath, [program, 'test', ...paths, ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
  cleanUp('runner', () => child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const from = performance.now();
  const { promise, resolve } = Promise.withResolvers<Awaited<Runner['ended']>>();
  child.on('close', (code) => {
    const last_lines = output.trimEnd().split('\n').slice(-60).join('\n');
    resolve({ code, last_lines, seconds: (performance.now() - from) / 1000 });
  });
  return { child, folder, ended: within(promise, 60_000, 'the end of the run') };
}

async function isAlive(pidFile: string): Promise<boolean> {
  try {
    process.kill(Number(await readFile(pidFile, 'utf8')), 0);
    return true;
  } catch {
    return false;
  }
}

describe('a run of tests', () => {
  it('ends with the failure in its last lines, whatever the file leaves behind', async () => {
    const { folder, ended } = await start(
      {
        'leaves.test.ts': `${leave}writeFileSync(new URL('pid', import.meta.url), String(left.pid));
        setInterval(() => {}, 1_000);
        after(() => { throw new Error('a hook that throws'); });
        describe('a suite', () => {
          it('that fails', () => assert.equal('one', 'another'));
          it('that hangs', () => new Promise(() => {}));
        });`,
        'passes.test.ts': `it('passes', () => {});`,
      },
      ['--test-limit', '3'],
    );
    const { code, last_lines } = await ended;
    assert.equal(code, 1);
    assert.match(last_lines, /failed: .*leaves\.test\.ts: a suite › that fails\n.*AssertionError/);
    assert.match(last_lines, /a suite › that hangs\n.*timed out after 3000ms/);
    assert.match(last_lines, /a hook that throws/);
    assert.match(last_lines, /test: 1 passed, 3 failed/);
    // It is dead; init takes it away when it comes to it.
    await eventually(
      () => isAlive(path.join(folder, 'pid')),
      (alive) => !alive,
    );
  });

  it('ends a file that spins, and names the test that had begun', async () => {
    const spin = `it('ends', () => {});\nit('spins', async () => { for (;;) await null; });`;
    const { code, last_lines } = await (await start({ 'spins.test.ts': spin }, ['--limit', '4'])).ended;
    assert.equal(code, 1);
    assert.match(last_lines, /the file's limit of 4 s\)\n.*begun: .*spins/);
  });

  it('names a file that ends without a word', async () => {
    const { code, last_lines } = await (await start({ 'exits.test.ts': 'process.exit(0);' })).ended;
    assert.equal(code, 1);
    assert.match(last_lines, /exits\.test\.ts: \(the process\)\n.*ended with exit code 0/);
  });

  it('names what fails behind a test that has passed', async () => {
    const late = `it('leaves work behind', () => void setTimeout(() => Promise.reject(new Error('too late')), 20));
      it('takes longer', (t, done) => void setTimeout(done, 200));`;
    const { code, last_lines } = await (await start({ 'late.test.ts': late })).ended;
    assert.equal(code, 1);
    assert.match(last_lines, /failed: .*late\.test\.ts: .*after its end\)\n.*"leaves work behind".*too late/);
  });

  it('names what failed before the file started a thread and a fork', async () => {
    const { code, last_lines } = await (
      await start({
        'idle.ts': '',
        'threads.test.ts': `import { fork } from 'node:child_process';
        import { once } from 'node:events';
        import { Worker } from 'node:worker_threads';
        const idle = new URL('idle.ts', import.meta.url);
        it('fails', () => assert.equal('one', 'another'));
        it('starts a thread', async () => void (await once(new Worker(idle), 'exit')));
        it('starts a fork', async () => void (await once(fork(idle), 'exit')));`,
      })
    ).ended;
    assert.equal(code, 1);
    assert.match(last_lines, /failed: .*threads\.test\.ts: fails\n.*AssertionError/);
  });

  it('tells of a flaky file, and passes', async () => {
    const flaky = `const mark = new URL('mark', import.meta.url);
      it('passes the second time', () => {
        const isSecond = existsSync(mark);
        writeFileSync(mark, '');
        assert.ok(isSecond, 'the first time');
      });`;
    const { code, last_lines } = await (await start({ 'flaky.test.ts': flaky })).ended;
    assert.equal(code, 0, last_lines);
    assert.match(last_lines, /flaky: .*flaky\.test\.ts: passes the second time: AssertionError.*the first time/);
    assert.match(last_lines, /test: 1 passed, 0 failed, 1 flaky files/);
  });

  it('tells of each file of a process by itself, and undoes one before the next begins', async () => {
    const cleanup = fileURLToPath(new URL('../src/cleanup.ts', import.meta.url));
    const { code, last_lines } = await (
      await start(
        {
          'a.test.ts': `import { cleanUpAtEnd } from '${cleanup}';
            globalThis.process_of = process.pid;
            it('passes', () => cleanUpAtEnd('the file', () => { globalThis.isUndone = true; }));
            describe('a suite', () => { it('that fails', () => assert.equal('one', 'another')); });`,
          'b.test.ts': `const isUndone = globalThis.isUndone;
            it('begins in the same process', () => assert.equal(globalThis.process_of, process.pid));
            it('begins behind the end of the first', () => assert.ok(isUndone));`,
        },
        ['--together', '2'],
      )
    ).ended;
    assert.equal(code, 1);
    assert.match(last_lines, /failed: .*a\.test\.ts: a suite › that fails\n/);
    assert.match(last_lines, /✔ \S*b\.test\.ts \(2 passed, /);
    assert.match(last_lines, /test: 3 passed, 1 failed/);
  });

  it('goes on behind a file that ends its process, or spins', async () => {
    const { code, last_lines } = await (
      await start(
        {
          'a.test.ts': `it('passes', () => {});`,
          'b.test.ts': `it('exits', () => process.exit(0));`,
          'c.test.ts': `it('spins', async () => { for (;;) await null; });`,
          'd.test.ts': `it('passes', () => {});`,
        },
        ['--together', '4', '--limit', '8'],
      )
    ).ended;
    assert.equal(code, 1);
    assert.match(last_lines, /failed: .*b\.test\.ts: \(the process\)\n.*begun: exits/);
    assert.match(last_lines, /failed: .*c\.test\.ts: \(the file's limit of 8 s\)\n.*begun: spins/);
    assert.match(last_lines, /test: 2 passed, 2 failed/);
  });

  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    it(`leaves nothing after ${signal}`, async () => {
      const stays = `${leave}writeFileSync(new URL('tmp', import.meta.url), process.env.TMPDIR);
        it('stays', async () => {
          writeFileSync(new URL('pid', import.meta.url), String(left.pid));
          await new Promise(() => {});
        });`;
      const { child, folder, ended } = await start({ 'stays.test.ts': stays });
      const pid = path.join(folder, 'pid');
      await eventually(() => isAlive(pid), Boolean);
      child.kill(signal);
      const { code, last_lines } = await ended;
      assert.notEqual(code, 0);
      if (signal === 'SIGTERM') assert.match(last_lines, /stays\.test\.ts: stays/);
      await eventually(
        () => isAlive(pid),
        (alive) => !alive,
      );
      const temporary = path.dirname(await readFile(path.join(folder, 'tmp'), 'utf8'));
      await eventually(
        () => existsSync(temporary),
        (exists) => !exists,
      );
    });
  }
});
