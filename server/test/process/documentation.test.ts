import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { makeFolder, type Process, runMajlis, startProcess } from '@majlis/testing/start-process';

const root = path.join(import.meta.dirname, '../../..');
const written = await readFile(path.join(root, 'README.md'), 'utf8');
const broadcasts = await readFile(path.join(root, 'docs/broadcasts.md'), 'utf8');
const ai = await readFile(path.join(root, 'docs/ai.md'), 'utf8');
const events = await readFile(path.join(root, 'docs/events.md'), 'utf8');
const simulator = await readFile(path.join(root, 'simulator/README.md'), 'utf8');
const cli = await readFile(path.join(root, 'docs/cli.md'), 'utf8');
const operating = await readFile(path.join(root, 'docs/operating.md'), 'utf8');

describe('the documentation', () => {
  let DATA_DIR: string;
  let url: string;
  let phone_url: string;
  let key: string;
  let majlis: Process;

  before(async () => {
    DATA_DIR = path.join(await makeFolder(), 'data');
    majlis = startProcess('bin/majlis.js', ['dev', '--quiet-customers'], {
      env: { DATA_DIR, PORT: '0', SIMULATOR_PORT: '0' },
    });
    url = (await majlis.says(/Majlis is ready at (http:\S+)$/m))[1]!;
    phone_url = (await majlis.says(/Customer phone\s+(http:\S+)$/m))[1]!;
    key = (await majlis.says(/Demo API key\s+(\S+)$/m))[1]!;
  });

  const examples = [written, broadcasts, ai, events, simulator]
    .flatMap((text) => blocks(text, 'sh'))
    .filter((block) => block.startsWith('curl'));
  /** The id of one that the examples before have led to. */
  async function findConversation(): Promise<string> {
    const response = await fetch(`${url}/v1/conversations`, { headers: { authorization: `Bearer ${key}` } });
    const { data } = (await response.json()) as { data: { id: string }[] };
    return data[0]?.id ?? '';
  }
  it('holds examples', () => assert.ok(examples.length >= 5));
  const [streams, answers] = [true, false].map((isStream) =>
    examples.filter((example) => example.startsWith('curl -N') === isStream),
  );
  for (const example of streams!) {
    it(`is right about the stream: ${example.split('\n')[0]}`, async () => {
      const command = `${example.trim().replaceAll('http://127.0.0.1:8080', url)} --silent --fail-with-body --max-time 3`;
      const ended = await promisify(execFile)('bash', ['-c', command], {
        env: { ...process.env, MAJLIS_KEY: key },
      }).catch((error: { code: number; stdout: string }) => error);
      // curl says with 28 that it ended a stream that would have gone on.
      assert.equal('code' in ended && ended.code, 28, ended.stdout);
    });
  }
  for (const example of answers!) {
    it(`is right about: ${example.split('\n')[0]}`, async () => {
      const here = example
        .trim()
        .replaceAll('http://127.0.0.1:8080', url)
        .replaceAll('http://127.0.0.1:8090', phone_url);
      const command = `${here} --silent --fail-with-body`;
      const { stdout } = await promisify(execFile)('bash', ['-c', command], {
        cwd: path.dirname(DATA_DIR),
        env: { ...process.env, MAJLIS_KEY: key, CONVERSATION: await findConversation() },
      });
      // What is accepted for later is answered without a body.
      if (stdout === '') return;
      const answer = JSON.parse(stdout);
      const isWritten = typeof (answer.draft ?? answer.summary) === 'string';
      const isWrittenByCustomer = answer.id?.startsWith('wamid.');
      const isRegistered = answer.secret?.startsWith('whsec_');
      assert.ok(
        isWritten ||
          isWrittenByCustomer ||
          isRegistered ||
          ['queued', 'scheduled', 'sending'].includes(answer.status) ||
          answer.data.length > 0,
        stdout,
      );
    });
  }

  it('has command lines that work, one after the other', async () => {
    const env = {
      ...process.env,
      PATH: `${path.join(root, 'node_modules/.bin')}:${process.env.PATH}`,
      XDG_CONFIG_HOME: await makeFolder(),
      XDG_STATE_HOME: await makeFolder(),
      DATA_DIR,
      SIMULATOR_PORT: new URL(phone_url).port,
    };
    for (const block of blocks(cli, 'sh')) {
      const lines = block
        .replaceAll('http://127.0.0.1:8080', url)
        .replaceAll('data/', `${DATA_DIR}/`)
        // It would go on.
        .replace(/^(?=majlis listen --forward-to)/m, `${untilListening}until_listening `);
      const options = { cwd: root, env };
      const { stdout, stderr } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', lines], options);
      const isSilent = /^(export|source) /.test(block);
      if (!isSilent) assert.notEqual(`${stdout}${stderr}`, '', block);
    }
  });

  it('of operating has a workspace file that can be applied', async () => {
    const file = path.join(DATA_DIR, 'workspace.yaml');
    const [yaml] = blocks(operating, 'yaml');
    await writeFile(file, yaml!);
    const apply = startProcess('bin/majlis.js', ['apply', '-f', file, '--json', '--url', url], { env: { DATA_DIR } });
    assert.deepEqual(await apply.ended(), { code: 0, signal: null }, apply.stderr());
    const applied = JSON.parse(apply.stdout());
    assert.equal(applied.stages.length, 2);
    assert.match(applied.api_keys[0].key, /^mj_test_/);
    const demo = await fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${key}` } });
    const { workspace_id } = (await demo.json()) as { workspace_id: string };
    assert.notEqual(applied.workspace.id, workspace_id, 'the demo workspace stays as it is');
  });

  it('of operating and of the command line names every command, and no other', async () => {
    const { stdout } = await runMajlis(['--help']);
    const listed = stdout.slice(stdout.indexOf('Commands:')).matchAll(/^ {2}([\w-]+)/gm);
    const commands = new Set([...listed].map((match) => match[1]).filter((name) => name !== 'help'));
    const tables = operating.slice(0, operating.indexOf('## Settings')) + cli.slice(0, cli.indexOf('## The key'));
    const named = new Set([...tables.matchAll(/`(?:npx )?majlis (\w[\w-]*)/g)].map((match) => match[1]));
    const [, resources = ''] = /the resources are ([^|]+)/.exec(tables) ?? [];
    for (const [, name] of resources.matchAll(/`([\w-]+)`/g)) named.add(name);
    assert.deepEqual([...named].sort(), [...commands].sort());
  });

  it('of operating names every setting that is read, and no other', async () => {
    const readings = await findInFiles('server/src/process/*.ts', /\bread(?:\.\w+(?:<\w+>)?\(\s*|, )'([A-Z0-9_]+)'/g);
    const read = new Set(readings.map((match) => match[1]));
    const settings = operating
      .slice(operating.indexOf('## Settings'), operating.indexOf('## Several processes'))
      // A test beside the quotas compares their table.
      .replace(/^## Quotas$.*?(?=^## )/ms, '');
    const named = new Set([...settings.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map((match) => match[1]));
    assert.deepEqual([...named].sort(), [...read].sort());
  });
});

describe('the page on reliability', () => {
  it('names every size of the tests of faults', async () => {
    const page = await readFile(path.join(root, 'docs/reliability.md'), 'utf8');
    const read = new Set<string>();
    for (const [, name] of await findInFiles('{server/test,testing/src}/faults/*.ts', /process\.env\.(\w+)/g))
      read.add(name!);
    read.delete('FAULT_SEED');
    for (const name of read) assert.ok(page.includes(`\`${name}\``), name);
  });
});

describe('the page of references', () => {
  it('has every hazard that a comment names, and no other', async () => {
    const page = await readFile(path.join(root, 'docs/references.md'), 'utf8');
    const used = await findInFiles(
      '{contract,conform,server,simulator,testing,bench,prove}/**/*.{ts,sql}',
      /[ (](H\d{1,3})\b/g,
    );
    const listed = [...page.matchAll(/^\| (H\d+) /gm)].map((match) => match[1]);
    assert.deepEqual(new Set(listed), new Set(used.map((match) => match[1])));
  });
});

async function findInFiles(pattern: string, what: RegExp): Promise<RegExpMatchArray[]> {
  const files = globSync(pattern, { cwd: root, exclude: (name) => name === 'node_modules' });
  const texts = await Promise.all(files.map((file) => readFile(path.join(root, file), 'utf8')));
  return texts.flatMap((text) => [...text.matchAll(what)]);
}

/** For bash: runs a listener until it listens, and stops it then. A signal before that would find nobody to handle it. */
const untilListening = `
until_listening() {
  local said=$(mktemp)
  "$@" 2>"$said" &
  until grep -q 'The secret of the signatures' "$said"; do kill -0 $!; sleep 0.1; done
  kill -TERM $!
  wait $!
  cat "$said" >&2
  rm "$said"
}
`;

/** The fenced blocks of a language. */
function blocks(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map((match) => match[1]!);
}
