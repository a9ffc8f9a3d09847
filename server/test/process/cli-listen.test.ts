import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { unwrap } from '@majlis/sdk/webhooks';
import { eventually } from '@majlis/testing/eventually';
import { receiveTexts } from '@majlis/testing/notifications';
import { makeFolder, runMajlis, startProcess } from '@majlis/testing/start-process';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { startWebhookReceiver, type WebhookReceiver } from '@majlis/testing/webhook-receiver';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });

/** A workspace with a listener of its own, which keeps its place in `folder`. */
async function createListener() {
  const workspace = await majlis.workspace();
  const receiver = await startWebhookReceiver();
  const folder = await makeFolder();
  const env = { MAJLIS_KEY: workspace.key, MAJLIS_URL: majlis.url, XDG_STATE_HOME: folder };
  return {
    ...{ workspace, receiver },
    file: path.join(folder, `majlis/listen-key-${workspace.id}.json`),
    run: (...args: string[]) => runMajlis(['listen', ...args], { env }),
    async start(...args: string[]) {
      const listener = startProcess('bin/majlis.js', ['listen', '--forward-to', receiver.url, ...args], { env });
      await eventually(listener.stderr, (text) => text.includes('The secret of the signatures is'));
      return listener;
    },
  };
}

async function readEventIds({ api }: TestWorkspace): Promise<string[]> {
  return (await api.get('/events?limit=100')).body.data.map(({ id }: { id: string }) => id);
}

const idsOf = ({ arrivals }: WebhookReceiver): string[] => arrivals.map(({ event }) => event.id);
const untilArrived = (receiver: WebhookReceiver, count: number) =>
  eventually(
    () => receiver.arrivals.length,
    (arrived) => arrived >= count,
  );

describe('majlis listen', () => {
  it('forwards what happens from then on, signed with one secret that it also prints', async () => {
    const { workspace, receiver, file, run, start } = await createListener();
    await receiveTexts(majlis, workspace, 2);
    const secret = (await run('--print-secret')).stdout.trim();
    const listener = await start();
    assert.ok(listener.stderr().includes(secret));
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    await receiveTexts(majlis, workspace, 3);
    await untilArrived(receiver, 3);
    assert.deepEqual(idsOf(receiver), (await readEventIds(workspace)).slice(2));
    for (const { body, headers } of receiver.arrivals) {
      assert.equal((await unwrap(body, headers, secret)).type, 'message.received');
      assert.equal(headers['content-type'], 'application/json');
    }
    await listener.says(/message\.received {2}evt_\w+ {2}200 {2}\d+ ms\n/);
  });

  it('goes on where it was stopped, and where it was killed, with nothing lost and nothing twice', async () => {
    const { workspace, receiver, start } = await createListener();
    const first = await start();
    await receiveTexts(majlis, workspace, 4);
    await untilArrived(receiver, 4);
    first.child.kill('SIGTERM');
    assert.deepEqual(await first.ended(), { code: 0, signal: null });

    await receiveTexts(majlis, workspace, 6);
    // The third of them gets no answer: the listener dies while it waits for one, in the middle of a page.
    receiver.answer((_, response) => {
      if (receiver.arrivals.length !== 7) response.end();
    });
    const second = await start();
    await untilArrived(receiver, 7);
    second.child.kill('SIGKILL');
    await second.ended();
    receiver.answer(200);
    await start();
    await untilArrived(receiver, 11);
    const ids = await readEventIds(workspace);
    // Only the event without an answer comes again.
    assert.deepEqual(idsOf(receiver), [...ids.slice(0, 7), ...ids.slice(6)]);
  });

  it('waits for a receiver that is away, and brings all in order', async () => {
    const { workspace, receiver, start } = await createListener();
    const listener = await start();
    let away = true;
    receiver.answer((_, response) => (away ? response.destroy() : response.end()));
    await receiveTexts(majlis, workspace, 3);
    await listener.says('all events wait for the receiver');
    away = false;
    const ids = await readEventIds(workspace);
    await eventually(
      () => idsOf(receiver).slice(-3),
      (last) => last.join() === ids.join(),
    );
  });

  it('lets other events pass one that is refused, and keeps that one over restarts', async () => {
    const { workspace, receiver, start } = await createListener();
    const listener = await start();
    let refuses = true;
    receiver.answer((arrival, response) => {
      const isFirst = arrival.event.id === receiver.arrivals[0]!.event.id;
      response.writeHead(isFirst && refuses ? 500 : 200).end();
    });
    await receiveTexts(majlis, workspace, 3);
    const ids = await readEventIds(workspace);
    await eventually(
      () => idsOf(receiver).join(),
      (arrived) => arrived === [ids[0], ids[0], ids[0], ids[1], ids[2]].join(),
    );
    await listener.says(new RegExp(`${ids[2]} {2}200`));
    listener.child.kill('SIGKILL');
    await listener.ended();
    refuses = false;
    const again = await start();
    await eventually(again.stderr, (text) => /^1 events? of before waits? for the receiver\.$/m.test(text));
    await untilArrived(receiver, 6);
    assert.equal(idsOf(receiver).at(-1), ids[0]);
    await again.says(new RegExp(`${ids[0]} {2}200`));
    again.child.kill('SIGTERM');
    await again.ended();
    await start();
    await receiveTexts(majlis, workspace, 1);
    await untilArrived(receiver, 7);
    assert.deepEqual(idsOf(receiver).slice(6), (await readEventIds(workspace)).slice(3));
  });

  it('takes types, and begins anew where asked', async () => {
    const { workspace, receiver, run, start } = await createListener();
    const listener = await start('--events', 'message.status_updated');
    await receiveTexts(majlis, workspace, 2);
    const { id } = (await workspace.api.get('/conversations')).body.data[0];
    await workspace.api.post(`/conversations/${id}/messages`, { kind: 'text', body: 'Hello' });
    await untilArrived(receiver, 1);
    assert.equal(receiver.arrivals[0]!.event.type, 'message.status_updated');
    listener.child.kill('SIGTERM');
    await listener.ended();
    const wrong = await run('--events', 'message.read');
    assert.equal(wrong.code, 6);
    assert.match(wrong.stderr, /\/types must be one or more of message\.received, /);
    const before = receiver.arrivals.length;
    await start('--from', 'oldest', '--events', 'message.received');
    await untilArrived(receiver, before + 2);
    assert.ok(receiver.arrivals.slice(before).every(({ event }) => event.type === 'message.received'));
  });

  it('refuses a second listener of one profile, and addresses and places that are none', async () => {
    const { workspace, run, start } = await createListener();
    const listener = await start();
    const second = await run();
    assert.equal(second.code, 5);
    assert.match(second.stderr, new RegExp(`^majlis: Process ${listener.child.pid} listens with this profile already`));
    for (const args of [
      ['--from', 'today'],
      ['--forward-to', 'ftp://127.0.0.1'],
      ['--forward-to', 'http://'],
    ]) {
      assert.equal((await run(...args)).code, 2, args.join());
    }
    await majlis.operator('DELETE', `/workspaces/${workspace.id}/api-keys/backend`);
    assert.deepEqual(await listener.ended(), { code: 3, signal: null });
  });

  it('forwards one event once more where asked', async () => {
    const { workspace, receiver, run } = await createListener();
    await receiveTexts(majlis, workspace, 2);
    const [id] = await readEventIds(workspace);
    const again = ['--forward-to', receiver.url, '--resend', id!];
    assert.equal((await run(...again)).code, 0);
    assert.deepEqual(idsOf(receiver), [id]);
    await unwrap(
      receiver.arrivals[0]!.body,
      receiver.arrivals[0]!.headers,
      (await run('--print-secret')).stdout.trim(),
    );
    receiver.answer(500);
    assert.equal((await run(...again)).code, 8);
    assert.equal((await run('--forward-to', receiver.url, '--resend', 'evt_none')).code, 4);
  });

  it('prints the events, one a line, where there is no receiver', async () => {
    const { workspace, file } = await createListener();
    const env = { MAJLIS_KEY: workspace.key, MAJLIS_URL: majlis.url, XDG_STATE_HOME: path.join(file, '../..') };
    await receiveTexts(majlis, workspace, 2);
    const listener = startProcess('bin/majlis.js', ['listen', '--from', 'oldest'], { env });
    await listener.says(/(.*\n){2}/);
    const ids = listener
      .stdout()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id);
    assert.deepEqual(ids, await readEventIds(workspace));
    listener.child.kill('SIGINT');
    assert.deepEqual(await listener.ended(), { code: 0, signal: null });
    assert.deepEqual(JSON.parse(await readFile(file, 'utf8')).waiting, []);
  });
});
