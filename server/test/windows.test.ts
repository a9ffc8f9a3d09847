import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createApi } from '@majlis/testing/api';
import { eventually } from '@majlis/testing/eventually';
import { newDigits, untilStatus } from '@majlis/testing/messages';
import { platformText, postNotification, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { receiveMessage } from '@majlis/testing/receive-message';
import { repeatUntil } from '@majlis/testing/repeat-until';
import { startTestService } from '@majlis/testing/start-test-service';
import { parseId, publicId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off', DATABASE_POOL_SIZE: '4' } });
const other = await majlis.another();
const workspace = await majlis.workspace();
const { api, phone_number_id } = workspace;
const day = 24 * 3_600_000;

const now = async () => Date.parse((await majlis.operator('GET', '/clock')).body.now);
const windowOf = async (conversation: string) =>
  (await api.get(`/conversations/${conversation}`)).body.window_expires_at;
const sendText = (conversation: string) =>
  api.post(`/conversations/${conversation}/messages`, { kind: 'text', body: 'Hi' });

/** Lets a customer write something at a time of the platform; answers the conversation once it stands there. */
async function write(from: string, at: number, type = 'text', content: unknown = 'Hello'): Promise<string> {
  const wamid = majlis.simulator.inject({ phone_number_id, from, type, content, at });
  const [row] = await eventually(
    () =>
      majlis.sql<{ conversation_id: string }>('select conversation_id from messages where platform_message_id = $1', [
        wamid,
      ]),
    (rows) => rows.length === 1,
  );
  return publicId('conversation', row!.conversation_id);
}

const iso = (at: number) => new Date(Math.floor(at / 1000) * 1000).toISOString();

describe('the window', () => {
  it('lasts for 24 hours from when the customer wrote, by the platform', async () => {
    const at = (await now()) - 5 * 3_600_000;
    assert.equal(await windowOf(await write(newDigits(), at)), iso(at + day));
  });

  it('is moved on by a later message, and never back by an earlier one that comes later', async () => {
    const from = newDigits();
    const at = await now();
    const conversation = await write(from, at - 7_200_000);
    await write(from, at - 3_600_000);
    assert.equal(await windowOf(conversation), iso(at - 3_600_000 + day));
    await write(from, at - 10 * 3_600_000);
    assert.equal(await windowOf(conversation), iso(at - 3_600_000 + day));
  });

  it('is not moved by the business', async () => {
    const at = (await now()) - 3_600_000;
    const conversation = await write(newDigits(), at);
    await untilStatus(majlis, (await sendText(conversation)).body.id, 'read');
    assert.equal(await windowOf(conversation), iso(at + day));
  });

  it('is not opened by a message that arrives a day late', async () => {
    const conversation = await write(newDigits(), (await now()) - day - 1000);
    const { status, body } = await sendText(conversation);
    assert.deepEqual([status, body.code], [409, 'window_closed']);
  });

  for (const [type, content, opens] of [
    ['image', { id: '790000000000001', mime_type: 'image/jpeg' }, true],
    ['interactive', { type: 'button_reply', button_reply: { id: 'a', title: 'A' } }, true],
    ['button', { text: 'Thanks', payload: 'T' }, true],
    ['contacts', [], true],
    ['unsupported', undefined, true],
    ['reaction', { message_id: 'wamid.x', emoji: '👍' }, false],
  ] as const) {
    it(`is ${opens ? '' : 'not '}opened by ${type}`, async () => {
      const conversation = await write(newDigits(), await now(), type, content);
      assert.equal((await windowOf(conversation)) !== undefined, opens);
      assert.equal((await sendText(conversation)).status, opens ? 201 : 409);
    });
  }

  for (const type of ['edit', 'revoke', 'request_welcome']) {
    it(`is not opened by ${type}, which is no message`, async () => {
      const from = newDigits();
      const conversation = await write(from, (await now()) - day - 1000);
      const before = await windowOf(conversation);
      const { data } = (await api.get(`/conversations/${conversation}/messages`)).body;
      const [row] = await majlis.sql<{ wamid: string }>(
        'select platform_message_id as wamid from messages where workspace_id = $1 and id = $2',
        [parseId('workspace', workspace.id), parseId('message', data[0].id)],
      );
      const original_message_id = row!.wamid;
      const message = { type: 'text', text: { body: 'Edited' } };
      const content = { original_message_id, ...(type === 'edit' && { message }) };
      majlis.simulator.inject({ phone_number_id, from, type, content, at: await now() });
      await eventually(
        async () => majlis.simulator.pending(),
        (pending) => pending === 0,
      );
      await untilNotificationsProcessed(majlis);
      assert.equal(await windowOf(conversation), before);
      assert.equal((await sendText(conversation)).status, 409);
    });
  }
});

describe('at the end of the window', () => {
  it('what is accepted was stored before it, and what is refused was not', async () => {
    const conversation = await write(newDigits(), await now());
    const end = (await now()) + 250;
    await setEnd(conversation, end);
    const refusedAt: number[] = [];
    await Promise.all(
      [majlis, other].map(async ({ url }) => {
        const client = createApi(url, workspace.key);
        const send = async () => {
          const reply = await client.post(`/conversations/${conversation}/messages`, { kind: 'text', body: 'Hi' });
          if (reply.status === 201) assert.ok(Date.parse(reply.body.created_at) < end, reply.text);
          else refusedAt.push(await now());
        };
        await repeatUntil(() => refusedAt.length >= 20, send);
      }),
    );
    for (const at of refusedAt) assert.ok(at >= end, `refused at ${at}, before ${end}`);
    const [row] = await majlis.sql(
      'select count(*)::int as late from messages where conversation_id = $1 and created_at >= $2 and direction = $3',
      [parseId('conversation', conversation), new Date(end), 'outbound'],
    );
    assert.deepEqual(row, { late: 0 });
  });

  it('the clock decides, in every process', async () => {
    const conversation = await write(newDigits(), await now());
    assert.equal((await sendText(conversation)).status, 201);
    await majlis.advance(day / 1000 + 1);
    assert.equal((await sendText(conversation)).status, 409);
    const client = createApi(other.url, workspace.key);
    await eventually(
      () => client.post(`/conversations/${conversation}/messages`, { kind: 'text', body: 'Hi' }),
      ({ status }) => status === 409,
    );
  });

  it('a message of the customer and one of the business may pass each other, but none is refused behind the customer’s', async () => {
    const people = Array.from({ length: 60 }, newDigits);
    const seconds = String(Math.floor((await now()) / 1000));
    await Promise.all(
      people.map(async (from, n) => {
        const conversation = await write(from, await now());
        await setEnd(conversation, await now());
        const client = createApi(n % 2 ? majlis.url : other.url, workspace.key);
        const send = () => client.post(`/conversations/${conversation}/messages`, { kind: 'text', body: 'Hi' });
        const message = platformText(from, 'again', { timestamp: seconds });
        const stored = postNotification(majlis, workspace, { messages: [message] }).then(() =>
          eventually(
            () => majlis.sql('select from messages where platform_message_id = $1', [message.id]),
            (rows) => rows.length === 1,
          ),
        );
        const racing = await send();
        if (racing.status !== 201) assert.equal(racing.body.code, 'window_closed');
        await stored;
        assert.equal((await send()).status, 201);
      }),
    );
  });
});

it('what was accepted in the window and goes out behind it fails with the platform’s reason', async () => {
  const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
  const channel = parseId('channel', workspace.channel_id);
  await majlis.sql(
    `insert into job_groups values ('messages.deliver_message', $1, $2)
    on conflict (kind, group_id) do update set paused_until = excluded.paused_until`,
    [channel, new Date((await now()) + 3_600_000)],
  );
  const { body } = await sendText(conversation_id);
  await majlis.advance(day / 1000 + 60);
  const { error } = await untilStatus(majlis, body.id, 'failed');
  assert.match(error!, /^131047: Re-engagement message/);
});

/** Moves the end of the window to a moment of the clock. */
async function setEnd(conversation: string, at: number): Promise<void> {
  await majlis.sql('update conversations set window_expires_at = $2 where id = $1', [
    parseId('conversation', conversation),
    new Date(at),
  ]);
}
