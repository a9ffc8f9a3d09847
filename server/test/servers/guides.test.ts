import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { freePort } from '@majlis/testing/free-port';
import { installNode } from '@majlis/testing/install-node';
import type { AnyJson } from '@majlis/testing/json';
import { listen } from '@majlis/testing/listen';
import { operatorToken } from '@majlis/testing/operator';
import { installPackedClient } from '@majlis/testing/packed-client';
import { receiveMessage } from '@majlis/testing/receive-message';
import { launchProgram } from '@majlis/testing/run-program';
import { makeFolder } from '@majlis/testing/start-process';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';

const root = path.join(import.meta.dirname, '../../..');
const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
// The client as integrators install it, on each Node.js that they may have.
const client_folder = await installPackedClient();
const nodes: [string, string][] = [['24', process.execPath]];
for (const version of ['20.20.2', '22.23.3']) nodes.push([version, await installNode(version)]);
const muna = '96891234567';
const tried = new Map<string, number>();

interface Guide {
  folder: string;
  workspace: TestWorkspace;
  /** The blocks of this language, in order. */
  blocks: string[];
  env: Record<string, string>;
}

/** A guide in an empty folder with the client, and a workspace of its own. */
async function openGuide(name: string, language: string, more: object = {}): Promise<Guide> {
  const page = await readFile(path.join(root, `docs/guides/${name}.md`), 'utf8');
  const blocks = [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, block]) => block!,
  );
  tried.set(name, blocks.length);
  const folder = await makeFolder();
  await mkdir(path.join(folder, 'node_modules/@majlis'), { recursive: true });
  await symlink(path.join(client_folder, 'node_modules/@majlis/sdk'), path.join(folder, 'node_modules/@majlis/sdk'));
  await symlink(path.join(root, 'node_modules/.bin'), path.join(folder, 'node_modules/.bin'));
  const workspace = await majlis.workspace({ assignment: 'none', ...more });
  return { folder, workspace, blocks, env: { MAJLIS_URL: majlis.url, MAJLIS_KEY: workspace.key } };
}

function launch({ folder, env }: Guide, program: string, args: string[], more: Record<string, string> = {}) {
  return launchProgram(program, args, { cwd: folder, env: { ...env, ...more } });
}

async function launchNode(guide: Guide, node: string, block: number, more?: Record<string, string>) {
  const file = path.join(guide.folder, `program-${block}.mjs`);
  await writeFile(file, guide.blocks[block]!);
  return launch(guide, node, [file], more);
}

async function finish(running: Promise<ReturnType<typeof launch>> | ReturnType<typeof launch>): Promise<string> {
  const { code, output } = await (await running).ended;
  assert.equal(code, 0, output);
  return output;
}

const says = ({ output }: ReturnType<typeof launch>, text: RegExp) => eventually(output, (said) => text.test(said));

/** What the customer got, newest last. */
async function answersTo({ workspace: { api } }: Guide, conversation_id: string): Promise<AnyJson[]> {
  const { data } = (await api.get(`/conversations/${conversation_id}/messages`)).body;
  return data.filter((one: AnyJson) => one.direction === 'outbound');
}

describe('the guides', () => {
  it('quickstart-curl', async () => {
    const guide = await openGuide('quickstart-curl', 'sh');
    assert.equal(guide.blocks.length, 5);
    const run = (block: number) => finish(launch(guide, 'bash', ['-euo', 'pipefail', '-c', guide.blocks[block]!]));
    assert.match(await run(0), /"workspace_id"/);
    const [first, again] = [await run(1), await run(1)];
    assert.match(first, /"status":"queued"/);
    assert.equal(JSON.parse(again.slice(again.indexOf('{'))).id, JSON.parse(first.slice(first.indexOf('{'))).id);
    await receiveMessage(majlis, guide.workspace, muna);
    assert.match(await run(2), /It arrives tomorrow/);
    assert.match(await run(3), /"identifier":"\+96891234567"/);
    assert.match(await run(4), /whsec_/);
  });

  for (const [version, node] of nodes) {
    it(`quickstart-node on Node.js ${version}`, async () => {
      const guide = await openGuide('quickstart-node', 'js');
      assert.equal(guide.blocks.length, 2);
      assert.match(await finish(launchNode(guide, node, 0)), /^queued msg_/);
      const bot = await launchNode(guide, node, 1);
      await says(bot, /ready/);
      const { conversation_id } = await receiveMessage(majlis, guide.workspace, muna);
      const answers = await eventually(
        () => answersTo(guide, conversation_id),
        (data) => data.length === 2,
      );
      assert.equal(answers[1]!.body, 'Hello there, we got: Hello');
      bot.child.kill();
    });
  }

  it('quickstart-python', async () => {
    const guide = await openGuide('quickstart-python', 'python');
    const [client, send, receive, register] = guide.blocks;
    assert.equal(guide.blocks.length, 4);
    await writeFile(path.join(guide.folder, 'majlis.py'), client!);
    const python = (source: string, more?: Record<string, string>) =>
      launch(guide, 'python3', ['-c', source], { PYTHONPATH: guide.folder, ...more });
    assert.match(await finish(python(send!)), /^queued msg_\w+\nwindow_closed\n$/);
    const PORT = String(await freePort());
    const RECEIVER_URL = `http://127.0.0.1:${PORT}/`;
    const WEBHOOK_SECRET = (await finish(python(register!, { RECEIVER_URL }))).trim();
    const receiver = python(receive!, { PORT, WEBHOOK_SECRET });
    const post = (headers: Record<string, string> = {}) =>
      fetch(RECEIVER_URL, { method: 'POST', body: '{}', headers }).then(
        ({ status }) => status,
        () => 0,
      );
    await eventually(post, (status) => status === 401);
    const t = Math.floor(Date.now() / 1000);
    for (const forged of ['0'.repeat(64), '', 'é']) {
      assert.equal(await post({ 'service-signature': `t=${t},v1=${forged}` }), 401, receiver.output());
    }
    await receiveMessage(majlis, guide.workspace, muna);
    await says(receiver, /^message\.received Hello$/m);
  });

  for (const [version, node] of nodes) {
    it(`menu-bot on Node.js ${version}`, async () => {
      const guide = await openGuide('menu-bot', 'js');
      assert.equal(guide.blocks.length, 1);
      const bot = await launchNode(guide, node, 0);
      await says(bot, /ready/);
      const { conversation_id } = await receiveMessage(majlis, guide.workspace, muna);
      const count = (most: number) =>
        eventually(
          () => answersTo(guide, conversation_id),
          (data) => data.length >= most,
        );
      assert.equal((await count(1))[0]!.kind, 'interactive');
      const { phone_number_id } = guide.workspace;
      const say = (type: string, content: unknown) =>
        majlis.simulator.inject({ phone_number_id, from: muna, type, content });
      const tap = (id: string) => say('interactive', { type: 'button_reply', button_reply: { id, title: 'x' } });
      tap('hours');
      assert.match((await count(2)).at(-1)!.body, /open from 9/);
      say('text', 'It is A-1042.');
      assert.equal((await count(3)).at(-1)!.body, 'Order A-1042 arrives tomorrow.');
      tap('person');
      const all = await count(5);
      assert.deepEqual(
        all.slice(3).map(({ kind, body }) => [kind, body]),
        [
          ['text', 'Somebody of the team answers here soon.'],
          ['note', 'Asked for a person.'],
        ],
      );
      bot.child.kill();
    });
  }

  for (const [version, node] of nodes) {
    it(`order-updates on Node.js ${version}`, async () => {
      const guide = await openGuide('order-updates', 'js');
      assert.equal(guide.blocks.length, 2);
      for (let times = 0; times < 2; times++) {
        assert.equal(await finish(launchNode(guide, node, 0)), 'A-1042 queued\nA-1043 unprocessable_content\n');
      }
      const { api } = guide.workspace;
      const { data } = (await api.get('/conversations')).body;
      assert.equal((await answersTo(guide, data[0].id)).length, 1);
      // The simulator fails messages to this number.
      const template = { name: 'order_update', language: 'en', params: ['Ali', 'A-1044'] };
      const { id } = (await api.post('/messages', { to: '+96890131026', kind: 'template', template })).body;
      await eventually(
        async () => (await api.get(`/messages/${id}`)).body.status,
        (status) => status === 'failed',
      );
      assert.match(await finish(launchNode(guide, node, 1)), /^call \+96890131026 because of .*131026/m);
    });
  }

  for (const [version, node] of nodes) {
    it(`from-cloud-api on Node.js ${version}`, async () => {
      const guide = await openGuide('from-cloud-api', 'js');
      assert.equal(guide.blocks.length, 2);
      assert.match(await finish(launchNode(guide, node, 0)), /^queued msg_/);
      const PORT = String(await freePort());
      const url = `http://127.0.0.1:${PORT}/`;
      const endpoint = { url, events: ['message.received'], event_data: 'full' };
      const { secret } = (await guide.workspace.api.post('/webhook-endpoints', endpoint)).body;
      const receiver = await launchNode(guide, node, 1, { PORT, WEBHOOK_SECRET: secret });
      await eventually(
        () =>
          fetch(url, { method: 'POST' }).then(
            ({ status }) => status,
            () => 0,
          ),
        (status) => status === 401,
      );
      await receiveMessage(majlis, guide.workspace, muna);
      await says(receiver, /\n/);
      const { contacts, messages } = JSON.parse(receiver.output().trim());
      assert.equal(contacts[0].wa_id, muna);
      assert.deepEqual([messages[0].from, messages[0].text.body], [muna, 'Hello']);
    });
  }

  it('from-chatwoot', async () => {
    const guide = await openGuide('from-chatwoot', 'sh');
    const [list, messages, bring] = guide.blocks;
    assert.equal(guide.blocks.length, 3);
    const chatwoot = await startChatwoot();
    const env = {
      ...chatwoot,
      CHATWOOT_ACCOUNT: '1',
      WORKSPACE: guide.workspace.id,
      OPERATOR_TOKEN: operatorToken,
      PATH: process.env.PATH!,
    };
    await finish(launch(guide, 'bash', ['-euo', 'pipefail', '-c', `${list}\n${messages}`], env));
    const commands = bring!.replaceAll('npx majlis', `${path.join(root, 'node_modules/.bin/majlis')}`);
    const here = commands.replaceAll('"$WORKSPACE"', `"$WORKSPACE" --url ${majlis.url}`);
    const said = await finish(launch(guide, 'bash', ['-euo', 'pipefail', '-c', here], env));
    assert.match(said, /contacts created +2/);
    assert.match(said, /messages stored +46/);
    const { data } = (await guide.workspace.api.get('/contacts')).body;
    assert.deepEqual(data.map(({ name }: AnyJson) => name).toSorted(), ['Ali', 'Muna']);
  });

  it('are all tried, with all their programs: here, or in a browser', async () => {
    const pages = globSync('*.md', { cwd: path.join(root, 'docs/guides') }).map((name) => name.replace('.md', ''));
    const browsers = path.join(root, 'server/test/browser');
    const files = globSync('*-guide.test.ts', { cwd: browsers }).map((name) => path.join(browsers, name));
    const tests = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    const inBrowser = pages.filter((name) => tests.some((text) => text.includes(`docs/guides/${name}.md`)));
    assert.deepEqual([...tried.keys(), ...inBrowser].toSorted(), pages.toSorted());
  });
});

it('every block of a guide is in the language of its test', async () => {
  for (const [name, count] of tried) {
    const page = await readFile(path.join(root, `docs/guides/${name}.md`), 'utf8');
    assert.equal([...page.matchAll(/^```\w+$/gm)].length, count, name);
  }
});

/** A stand-in for Chatwoot's API: two contacts, a conversation of 45 messages in pages of 20. */
async function startChatwoot() {
  const people = [
    { id: 1, name: 'Muna', phone_number: '+96891280001', email: null },
    { id: 2, name: 'Ali', phone_number: '+96891280002', email: null },
  ];
  const conversation = { id: 7, account_id: 1, inbox_id: 1, status: 'open', labels: [], meta: { sender: people[0] } };
  const messages = Array.from({ length: 45 }, (_, n) => {
    const place = { conversation_id: 7, inbox_id: 1, private: false, created_at: 1_709_600_000 + n };
    return { id: n + 1, content: `Message ${n}`, message_type: n % 2, ...place };
  });
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://x');
    const isFirst = searchParams.get('page') === '1';
    const below = Number(searchParams.get('before') ?? 1_000);
    const answers: Record<string, object> = {
      contacts: { meta: {}, payload: isFirst ? people : [] },
      conversations: { data: { meta: {}, payload: isFirst ? [conversation] : [] } },
      messages: { meta: {}, payload: messages.filter(({ id }) => id < below).slice(-20) },
    };
    const isKnown = request.headers.api_access_token === 'token' && pathname.startsWith('/api/v1/accounts/1/');
    response.writeHead(isKnown ? 200 : 401).end(JSON.stringify(answers[pathname.split('/').at(-1)!]));
  });
  return { CHATWOOT_URL: await listen(server), CHATWOOT_TOKEN: 'token' };
}
