import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type ExtensionOperation, extensionOperations, type Operation, operations } from '@majlis/contract';
import { type MethodName, methodNames } from '@majlis/contract/method-names';
import { cleanUp } from '@majlis/testing/cleanup';
import { listen } from '@majlis/testing/listen';
import { samples } from '@majlis/testing/media';
import { newDigits } from '@majlis/testing/messages';
import { onceWithin } from '@majlis/testing/once-within';
import { makeFolder, runMajlis, startProcess } from '@majlis/testing/start-process';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace({ stages: [{ name: 'Lead' }] });

/** Runs an integrator's command with the key in the environment. */
function run(args: string[], { key, input }: { key?: string; input?: string } = {}) {
  const env = { MAJLIS_URL: majlis.url, MAJLIS_KEY: key ?? workspace.key, XDG_CONFIG_HOME: '/nonexistent' };
  return runMajlis(args, { env, ...(input !== undefined && { input }) });
}

const template = ['--template', 'order_update', '--language', 'en', '--param', 'Muna', '--param', 'A-1'];
const newNumber = () => `+${newDigits()}`;

async function addContact({ api }: TestWorkspace, members: object = {}): Promise<string> {
  const identities = [{ channel_type: 'chatapp', identifier: newNumber() }];
  return (await api.post('/contacts', { identities, ...members })).body.id;
}

describe('majlis login', () => {
  it('stores the key that stdin has, for its owner alone, and shows it nowhere', async () => {
    const XDG_CONFIG_HOME = await makeFolder();
    const env = { XDG_CONFIG_HOME };
    const { code, stdout, stderr } = await runMajlis(['login', '--url', majlis.url], {
      env,
      input: `${workspace.key}\n`,
    });
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^Signed in to Acme \w+ with the test key mj_test_/);
    const file = path.join(XDG_CONFIG_HOME, 'majlis/config.json');
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const listed = await runMajlis(['profiles'], { env });
    assert.ok(!`${stdout}${stderr}${listed.stdout}`.includes(workspace.key));
    const me = await runMajlis(['workspace', 'get-key', '--json'], { env });
    assert.equal(JSON.parse(me.stdout).workspace_id, workspace.id);

    await chmod(file, 0o640);
    const open = await runMajlis(['workspace', 'get'], { env });
    assert.deepEqual(
      [open.code, open.stderr],
      [3, `majlis: ${file} holds API keys and others may read it: run chmod 600 ${file}\n`],
    );
  });

  it('asks for the key on a terminal, and does not show it', async () => {
    const program = fileURLToPath(new URL('../../bin/majlis.js', import.meta.url));
    const terminal = spawn(
      'script',
      ['-qec', `"${process.execPath}" "${program}" login --url ${majlis.url}`, '/dev/null'],
      {
        env: { ...process.env, XDG_CONFIG_HOME: await makeFolder() },
      },
    );
    cleanUp('the terminal', () => terminal.kill('SIGKILL'));
    const shown = text(terminal.stdout);
    let seen = '';
    terminal.stdout.on('data', (chunk) => {
      if (!seen.includes('API key for') && `${seen}${chunk}`.includes('API key for'))
        terminal.stdin.write(`${workspace.key}\r`);
      seen += chunk;
    });
    const [code] = await onceWithin(terminal, 'close', 60_000);
    assert.equal(code, 0, await shown);
    assert.match(await shown, /Signed in to Acme/);
    assert.ok(!(await shown).includes(workspace.key));
  });

  it('has profiles: each its own workspace, and one goes without the others', async () => {
    const [other, env] = [await majlis.workspace(), { XDG_CONFIG_HOME: await makeFolder() }];
    await runMajlis(['login', '--url', majlis.url], { env, input: workspace.key });
    await runMajlis(['login', '--url', majlis.url, '--profile', 'shop'], { env, input: other.key });
    const idOf = async (more: string[], own: Record<string, string> = {}) =>
      JSON.parse((await runMajlis(['workspace', 'get', '--json', ...more], { env: { ...env, ...own } })).stdout).id;
    assert.equal(await idOf(['--profile', 'shop']), other.id);
    assert.equal(await idOf([], { MAJLIS_PROFILE: 'shop' }), other.id);
    assert.equal(await idOf([]), workspace.id);
    assert.equal((await runMajlis(['logout', '--profile', 'shop'], { env })).code, 0);
    const gone = await runMajlis(['workspace', 'get', '--profile', 'shop'], { env });
    assert.equal(gone.code, 3);
    assert.match(gone.stderr, /^majlis: There is no profile shop: run majlis login --profile shop, or set MAJLIS_KEY/);
    assert.equal(await idOf([]), workspace.id);
  });

  it('refuses a wrong key, no key, a key as an argument, and a name that is no name', async () => {
    const env = { XDG_CONFIG_HOME: await makeFolder() };
    const login = (input: string, ...more: string[]) =>
      runMajlis(['login', '--url', majlis.url, ...more], { env, input });
    assert.equal((await login('mj_test_wrong')).code, 3);
    assert.equal((await login('')).code, 2);
    assert.equal((await login('', '--key', workspace.key)).code, 2);
    assert.equal((await login(workspace.key, '--profile', '../x')).code, 2);
    assert.equal((await login(workspace.key, '--profile', '__proto__')).code, 2);
    await assert.rejects(stat(path.join(env.XDG_CONFIG_HOME, 'majlis')));
  });
});

describe('the operations of the contract', () => {
  const all: readonly (Operation & Partial<ExtensionOperation>)[] = [
    ...Object.values<Operation>(operations),
    ...Object.values(extensionOperations),
  ];
  const kebab = (name: string) =>
    name.replaceAll('_', '-').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

  it('are commands, and each makes its request', async () => {
    const requests: { method: string; path: string; body: unknown }[] = [];
    const server = createServer(async (request, response) => {
      const body = Buffer.concat(await Array.fromAsync(request)).toString();
      const isJson = request.headers['content-type'] === 'application/json';
      requests.push({ method: request.method!, path: request.url!, body: isJson ? JSON.parse(body) : undefined });
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[],"has_more":false}');
    });
    const MAJLIS_URL = await listen(server);
    const folder = await makeFolder();
    await writeFile(path.join(folder, 'file.txt'), 'x');
    const lines = all.map(({ id, example, body_content_type, reply }) => {
      const { name, destructive } = methodNames[id as keyof typeof methodNames] as MethodName;
      const members = Object.entries((example.body ?? example.query ?? {}) as Record<string, unknown>);
      const options = members.flatMap(([member, value]) => [`--${kebab(member)}`, ...textsOf(value)]);
      return [
        ...name.split('.').map(kebab),
        ...Object.values(example.params ?? {}),
        ...(body_content_type ? [path.join(folder, 'file.txt')] : options),
        ...(destructive ? ['--yes'] : []),
        ...(reply.content_type ? ['--output', path.join(folder, 'out')] : []),
      ];
    });
    const performed = startProcess('test/process/perform-operations.ts', [], {
      env: { MAJLIS_URL, MAJLIS_KEY: 'mj_test_x' },
      input: lines.map((line) => JSON.stringify(line)).join('\n'),
    });
    assert.deepEqual(await performed.ended(), { code: 0, signal: null }, performed.stderr());
    const expected = all.map(({ method, path: template, example, body, body_content_type }) => {
      const filled = template.replaceAll(/\{(\w+)\}/g, (_, member: string) => example.params![member]!);
      const pairs = Object.entries(example.query ?? {}).map(([member, value]): [string, string] => [
        member,
        String(value),
      ]);
      const search = new URLSearchParams(pairs).toString();
      const sent = body && !body_content_type ? (example.body ?? {}) : undefined;
      return { method, path: `${filled}${search && `?${search}`}`, body: sent };
    });
    assert.deepEqual(requests, expected);
  });

  /** The value of an option as people write it. */
  function textsOf(value: unknown): string[] {
    if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value;
    return [typeof value === 'object' ? JSON.stringify(value) : String(value)];
  }
});

describe('a command', () => {
  it('prints a table, JSON or ids', async () => {
    const own = await majlis.workspace();
    const ids = [await addContact(own, { name: 'Muna' }), await addContact(own, { name: 'Salim' })].reverse();
    const { key } = own;
    const table = (await run(['contacts', 'list'], { key })).stdout.split('\n');
    assert.match(table[0]!, /^id +name +vip +blocked$/);
    assert.match(table[1]!, new RegExp(`^${ids[0]} +Salim +false +false$`));
    const json = JSON.parse((await run(['contacts', 'list', '--json'], { key })).stdout);
    assert.deepEqual(
      json.data.map(({ id }: { id: string }) => id),
      ids,
    );
    assert.equal((await run(['contacts', 'list', '-q'], { key })).stdout, `${ids.join('\n')}\n`);
    const first = await run(['contacts', 'list', '--limit', '1'], { key });
    assert.match(first.stderr, /^majlis: There are more: --all, or --cursor \S+\n$/);
    const lines = (await run(['contacts', 'list', '--limit', '1', '--all', '--json'], { key })).stdout.trim();
    assert.deepEqual(
      lines.split('\n').map((line) => JSON.parse(line).id),
      ids,
    );
  });

  it('takes a body as options, as JSON, from a file and from stdin', async () => {
    const id = await addContact(workspace);
    const update = async (args: string[], input?: string) => {
      const options = input === undefined ? {} : { input };
      const { stdout, stderr } = await run(['contacts', 'update', id, ...args, '--json'], options);
      assert.equal(stderr, '');
      return JSON.parse(stdout);
    };
    assert.deepEqual((await update(['--name', 'Muna', '--tags', 'vip', 'gold'])).tags, ['vip', 'gold']);
    assert.deepEqual((await update(['--vip', '--tags', '[]'])).tags, []);
    assert.equal((await update(['-d', '{"vip":true,"name":"A"}', '--vip', 'false'])).vip, false);
    const file = path.join(await makeFolder(), 'body.json');
    await writeFile(file, '{"language":"ar"}');
    assert.equal((await update(['-d', `@${file}`])).language, 'ar');
    assert.equal((await update(['-d', '-'], '{"language":"en"}')).language, 'en');
    const [stage] = workspace.applied.stages;
    assert.equal((await update(['--stage-id', stage.id])).stage_id, stage.id);
    assert.equal((await update(['--stage-id', 'null'])).stage_id, undefined);
  });

  it('says in a sentence what is wrong, and ends with the code of its kind', async () => {
    const contact = await addContact(workspace);
    const cases: [number, string[], RegExp][] = [
      [2, ['contcts', 'list'], /^error: unknown command 'contcts'\n\(Did you mean contacts\?\)/],
      [2, ['contacts', 'show'], /\(majlis contacts has: list, upsert, import, get, update, delete, merge;/],
      [2, ['conversations', 'list', '--status', 'opened'], /It must be one of open, closed\.\n/],
      [2, ['contacts', 'list', '--limit', 'many'], /It must be a whole number from 1 on\.\n/],
      [2, ['contacts', 'upsert'], /^majlis: It needs --identities <json>, or --data with a body that has them\.\n$/],
      [2, ['contacts', 'update', contact, '--vip', 'maybe'], /It must be true or false\.\n/],
      [2, ['contacts', 'update', contact, '-d', '{'], /^majlis: --data is no JSON: /],
      [2, ['contacts', 'delete', contact], /^majlis: Erase a contact ct_\w+\? .* confirm with --yes\.\n$/],
      [2, ['api', 'FETCH', '/v1/me'], /^majlis: The method must be one of GET, POST, PUT, PATCH, DELETE\.\n$/],
      [2, ['api', 'DELETE', `/v1/contacts/${contact}`], /confirm with --yes\.\n$/],
      [2, ['send', newNumber()], /^majlis: Give a text, --template, --file or --media\.\n$/],
      [2, ['media', 'upload', '/no/such/file'], /^majlis: \/no\/such\/file cannot be read: /],
      [4, ['contacts', 'get', 'ct_none'], /^majlis: 404 Not found in this workspace \(request \S+\)\n$/],
      [
        5,
        ['send', newNumber(), 'Hello'],
        /^majlis: 409 The 24-hour window is closed[^\n]+\n {2}Send a template: majlis send /,
      ],
      [
        6,
        ['send', 'nobody', ...template],
        /^majlis: 422 The request is invalid [^\n]+\n {2}\/to is not a phone number/,
      ],
    ];
    for (const [code, args, words] of cases) {
      const ended = await run(args);
      assert.deepEqual([ended.code, ended.stdout], [code, ''], `${args}: ${ended.stderr}`);
      assert.match(ended.stderr, words);
    }
    assert.equal((await run(['contacts', 'get', contact, '-q'])).stdout, `${contact}\n`, 'nothing was erased');
    assert.equal((await run(['workspace', 'get'], { key: 'mj_test_wrong' })).code, 3);
    const away = await runMajlis(['workspace', 'get', '--json'], {
      env: { MAJLIS_KEY: 'x', MAJLIS_URL: 'http://127.0.0.1:1' },
    });
    assert.deepEqual([away.code, JSON.parse(away.stderr).failure], [8, 'unavailable']);
    const refused = await run(['send', newNumber(), 'Hello', '--json']);
    assert.deepEqual([refused.code, refused.stdout, JSON.parse(refused.stderr).code], [5, '', 'window_closed']);
  });

  it('erases where --yes says so', async () => {
    const id = await addContact(workspace);
    assert.deepEqual(await run(['contacts', 'delete', id, '--yes']), { code: 0, stdout: '', stderr: '' });
    assert.equal((await run(['contacts', 'get', id])).code, 4);
  });

  it('prints nothing of a customer that a terminal would obey', async () => {
    const name = 'Muna\u001b[2J\u009b31m\u202ex';
    const id = await addContact(workspace, { name });
    for (const json of [[], ['--json']]) {
      const { stdout } = await run(['contacts', 'get', id, ...json]);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what the test is about.
      assert.doesNotMatch(stdout, /[\u001b\u009b\u202e]/);
      if (json.length > 0) assert.equal(JSON.parse(stdout).name, name);
    }
  });

  it('names the key of a write whose outcome is unknown, so that the repetition acts once', async () => {
    const keys: unknown[] = [];
    const server = createServer((request) => {
      keys.push(request.headers['idempotency-key']);
      request.socket.destroy();
    });
    const env = { MAJLIS_KEY: 'mj_test_x', MAJLIS_URL: await listen(server) };
    const { code, stderr } = await runMajlis(['send', newNumber(), 'Hello'], { env });
    assert.equal(code, 8);
    const [, named] = /--idempotency-key (\S+): it acts once\./.exec(stderr) ?? [];
    assert.deepEqual([...new Set(keys)], [named]);
    const again = ['send', newNumber(), ...template, '--idempotency-key', named!, '-q'];
    assert.equal((await run(again)).stdout, (await run(again)).stdout);
  });
});

describe('files', () => {
  it('go up, into messages, and come down whole', async () => {
    const folder = await makeFolder();
    const [picture, copy] = [path.join(folder, 'photo.png'), path.join(folder, 'copy.png')];
    await writeFile(picture, samples.png);
    const uploaded = JSON.parse((await run(['media', 'upload', picture, '--json'])).stdout);
    assert.equal(uploaded.filename, 'photo.png');
    assert.equal((await run(['media', 'download', uploaded.id, '--output', copy])).code, 0);
    assert.deepEqual(await readFile(copy), Buffer.from(samples.png));
    const missing = await run(['media', 'download', 'med_none', '--output', path.join(folder, 'none')]);
    assert.equal(missing.code, 4);
    await assert.rejects(stat(path.join(folder, 'none')));
  });
});
