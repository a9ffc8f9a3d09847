import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { samples, uploadFile } from '@majlis/testing/media';
import { newDigits } from '@majlis/testing/messages';
import { openStream } from '@majlis/testing/open-stream';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { type ReceivedMessage, receiveMessage } from '@majlis/testing/receive-message';
import { momentIn, schedule, scheduledPath, sentTexts, untilEnded } from '@majlis/testing/schedule-messages';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { changeAtPlatform } from '@majlis/testing/templates';
import { whileHeld } from '@majlis/testing/while-held';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
let workspace: TestWorkspace;
let aisha: Member;
let badr: Member;
before(async () => {
  workspace = await majlis.workspace();
  aisha = await joinWorkspace(majlis, workspace, { role: 'agent' });
  badr = await joinWorkspace(majlis, workspace, { role: 'admin' });
});

const receive = () => receiveMessage(majlis, workspace, newDigits());
const change = (member: Member, { conversation_id, id }: AnyJson, body: object) =>
  member.at('PATCH', scheduledPath(conversation_id, id), body);

/** Lets an hour pass over what was scheduled for its end. */
async function untilDue(made: AnyJson, reader = badr): Promise<AnyJson> {
  await majlis.advance(3_600);
  return untilEnded(reader, made);
}

describe('at its time, a scheduled message', () => {
  it('is sent in the name of its author, and told to consoles', async () => {
    const { conversation_id } = await receive();
    const made = await schedule(majlis, aisha, conversation_id);
    const later = await schedule(majlis, aisha, conversation_id, {
      content: { kind: 'text', body: 'Later' },
      seconds: 7_200,
    });
    const stream = await openStream(majlis, badr);
    const sent = await untilDue(made);
    assert.deepEqual([sent.state, sent.version], ['sent', 2]);
    await stream.until(({ kind, scheduled_message_id: id }) => kind === 'scheduled_message' && id === made.id);
    await stream.until(({ kind, message_id }) => kind === 'message' && message_id === sent.message_id);
    const { body } = await badr.at('GET', `/messages/${sent.message_id}`);
    assert.deepEqual([body.body, body.actor_id, body.direction], ['See you', aisha.user_id, 'outbound']);
    const left = (await badr.at('GET', scheduledPath(conversation_id))).body.data;
    assert.deepEqual(left, [later]);
    assert.equal((await untilDue(later)).state, 'sent');
    assert.deepEqual(await sentTexts(badr, conversation_id), ['See you', 'Later']);
  });

  it('is sent although the customer or a colleague has written meanwhile', async () => {
    const { conversation_id } = await receive();
    const made = await schedule(majlis, aisha, conversation_id);
    await badr.at('POST', `/conversations/${conversation_id}/messages`, { kind: 'text', body: 'First' });
    assert.equal((await untilDue(made)).state, 'sent');
    assert.deepEqual(await sentTexts(badr, conversation_id), ['First', 'See you']);
  });

  it('is sent at its new time alone, and not where it was cancelled', async () => {
    const { conversation_id } = await receive();
    const moved = await schedule(majlis, aisha, conversation_id);
    const cancelled = await schedule(majlis, aisha, conversation_id, { content: { kind: 'text', body: 'Never' } });
    const due = await schedule(majlis, aisha, conversation_id, { content: { kind: 'text', body: 'On time' } });
    assert.equal((await change(aisha, moved, { version: 1, send_at: await momentIn(majlis, 5_400) })).status, 200);
    await aisha.at('POST', scheduledPath(conversation_id, cancelled.id, 'cancel'), { version: 1 });
    await untilDue(due);
    assert.deepEqual(await sentTexts(badr, conversation_id), ['On time']);
    await majlis.advance(1_800);
    assert.equal((await untilEnded(badr, moved)).state, 'sent');
    assert.deepEqual(await sentTexts(badr, conversation_id), ['On time', 'See you']);
    const jobs = await majlis.sql(`select from jobs where kind = 'messages.send_scheduled'`);
    assert.equal(jobs.length, 0);
  });

  it('goes out in the order in which those of one moment were made', async () => {
    const { conversation_id } = await receive();
    const send_at = await momentIn(majlis, 3_600);
    const texts = Array.from({ length: 8 }, (_, n) => `Part ${n}`);
    for (const body of texts) {
      const member = body.endsWith('3') ? badr : aisha;
      const made = await member.at('POST', scheduledPath(conversation_id), {
        content: { kind: 'text', body },
        send_at,
      });
      assert.equal(made.status, 201);
    }
    await majlis.advance(3_600);
    await eventually(
      () => sentTexts(badr, conversation_id),
      (sent) => sent.length === texts.length,
    );
    assert.deepEqual(await sentTexts(badr, conversation_id), texts);
  });

  it('is sent where its cancellation was taken back, also after its time, and not much later', async () => {
    const { conversation_id } = await receive();
    const [made, late] = [
      await schedule(majlis, aisha, conversation_id),
      await schedule(majlis, aisha, conversation_id),
    ];
    const act = (id: string, action: string, version: number) =>
      aisha.at('POST', scheduledPath(conversation_id, id, action), { version });
    for (const { id } of [made, late]) assert.equal((await act(id, 'cancel', 1)).status, 200);
    await majlis.advance(3_605);
    assert.equal((await act(made.id, 'restore', 2)).status, 200);
    assert.equal((await untilEnded(badr, made)).state, 'sent');
    await majlis.advance(120);
    assert.deepEqual((await act(late.id, 'restore', 2)).status, 422);
    assert.deepEqual(await sentTexts(badr, conversation_id), ['See you']);
  });

  it('is sent once where two processes have workers, and one that a person sends at that moment too', async () => {
    const other = await majlis.another({ ROLES: 'api,worker' });
    const received = await Promise.all(Array.from({ length: 12 }, receive));
    const made = await Promise.all(received.map(({ conversation_id }) => schedule(majlis, aisha, conversation_id)));
    const [, ...answers] = await Promise.all([
      majlis.advance(3_600),
      ...made.flatMap(({ conversation_id, id }) => [
        badr.at('POST', scheduledPath(conversation_id, id, 'send'), { version: 1 }),
        badr.at('POST', scheduledPath(conversation_id, id, 'send'), { version: 1 }),
      ]),
    ]);
    for (const { status, body } of answers) assert.ok(status === 200, JSON.stringify(body));
    for (const one of made) {
      const { state, message_id } = await untilEnded(badr, one);
      assert.ok(state === 'sent' && message_id);
      assert.deepEqual(await sentTexts(badr, one.conversation_id), ['See you']);
    }
    await other.stop();
  });

  it('is sent once where its worker had lost the job to another', async () => {
    const { conversation_id } = await receive();
    const made = await schedule(majlis, aisha, conversation_id);
    const id = parseId('conversation', conversation_id);
    // Both workers wait for the conversation, and the first holds no lease any more.
    await whileHeld(majlis, `select from conversations where id = '${id}' for update`, async () => {
      await majlis.advance(3_600);
      const claimed = await eventually(
        () => majlis.sql(`select attempts from jobs where kind = 'messages.send_scheduled' and attempts > 0`),
        (rows) => rows.length === 1,
      );
      assert.equal(claimed[0]!.attempts, 1);
      await majlis.sql(`update jobs set leased_until = now() - interval '1 second', worker_id = null, is_ready = true
        where kind = 'messages.send_scheduled'`);
      const other = await majlis.another({ ROLES: 'api,worker' });
      await eventually(
        () => majlis.sql(`select from jobs where kind = 'messages.send_scheduled' and attempts > 1`),
        (rows) => rows.length === 1,
      );
      return other;
    }).then(async (other) => {
      assert.equal((await untilEnded(badr, made)).state, 'sent');
      await other.stop();
    });
    assert.deepEqual(await sentTexts(badr, conversation_id), ['See you']);
  });
});

describe('at its time, a scheduled message is refused, and stays with the reason,', () => {
  interface Refusal {
    name: string;
    code: string;
    content?: object;
    seconds?: number;
    author?: () => Promise<Member>;
    prepare?: (received: ReceivedMessage, author: Member) => Promise<unknown>;
    spoil: (received: ReceivedMessage, author: Member) => Promise<unknown>;
  }
  const consent = ({ contact_id }: ReceivedMessage, granted: boolean) =>
    majlis.sql('update contacts set consents = $2 where id = $1', [
      parseId('contact', contact_id),
      { chatapp_marketing: granted },
    ]);
  const refusals: Refusal[] = [
    { name: 'outside the window', code: 'window_closed', seconds: 90_000, spoil: async () => {} },
    {
      name: 'in a closed conversation',
      code: 'conversation_closed',
      spoil: ({ conversation_id }) => badr.at('POST', `/conversations/${conversation_id}/close`, {}),
    },
    {
      name: 'to a blocked contact',
      code: 'contact_blocked',
      spoil: ({ contact_id }) => badr.at('PATCH', `/contacts/${contact_id}`, { blocked: true }),
    },
    {
      name: 'while a bot is in control',
      code: 'bot_in_control',
      spoil: ({ conversation_id }) => badr.at('POST', `/conversations/${conversation_id}/handover`, { to: 'bot' }),
    },
    {
      name: 'without the opt-in that marketing needs',
      code: 'opt_in_missing',
      content: { kind: 'template', template: { name: 'spring_sale', language: 'en' } },
      prepare: (received) => consent(received, true),
      spoil: (received) => consent(received, false),
    },
    {
      name: 'where the template is approved no more',
      code: 'template_not_found',
      content: { kind: 'template', template: { name: 'order_update', language: 'en', params: ['Muna', 'A'] } },
      async spoil() {
        // At the platform: the templates are read from there every ten minutes.
        await changeAtPlatform(majlis, workspace, 'order_update', { status: 'PAUSED' });
        await eventually(
          () => majlis.sql(`select from templates where name = 'order_update' and status = 'paused'`),
          ({ length }) => length === 1,
        );
      },
    },
    {
      name: 'of a person who was removed',
      code: 'author_without_access',
      author: () => joinWorkspace(majlis, workspace, { role: 'agent' }),
      spoil: (_, author) => badr.at('DELETE', `/members/${author.user_id}`),
    },
    {
      name: 'of a person who may not see the conversation any more',
      code: 'author_without_access',
      author: () => joinWorkspace(majlis, workspace, { role: 'agent' }),
      spoil: (_, author) => badr.at('PATCH', `/members/${author.user_id}`, { own_teams_only: true }),
    },
  ];

  for (const { name, code, content, seconds = 3_600, author, prepare, spoil } of refusals) {
    it(name, async () => {
      const received = await receive();
      const { conversation_id } = received;
      const writer = (await author?.()) ?? aisha;
      await prepare?.(received, writer);
      const made = await schedule(majlis, writer, conversation_id, { seconds, ...(content && { content }) });
      await spoil(received, writer);
      await majlis.advance(seconds);
      const failed = await untilEnded(badr, made);
      assert.deepEqual([failed.state, failed.failure.code], ['failed', code]);
      assert.deepEqual(failed.content, made.content);
      assert.deepEqual((await badr.at('GET', scheduledPath(conversation_id))).body.data, [failed]);
      const sent = (await badr.at('GET', `/conversations/${conversation_id}/messages`)).body.data;
      assert.deepEqual(
        sent.filter(({ direction }: AnyJson) => direction === 'outbound'),
        [],
      );
    });
  }

  it('and is changed and sent afterwards', async () => {
    const { conversation_id } = await receive();
    const [one, two, three] = await Promise.all([1, 2, 3].map(() => schedule(majlis, aisha, conversation_id)));
    await badr.at('POST', `/conversations/${conversation_id}/close`, {});
    await untilDue(one);
    for (const made of [two, three]) await untilEnded(badr, made!);
    await badr.at('POST', `/conversations/${conversation_id}/reopen`);
    const sent = await badr.at('POST', scheduledPath(conversation_id, one!.id, 'send'), { version: 2 });
    assert.deepEqual([sent.body.state, sent.body.failure], ['sent', undefined]);
    const send_at = await momentIn(majlis, 3_600);
    const content = { kind: 'text', body: 'Once more' };
    const again = await change(aisha, two!, { version: 2, content, send_at });
    assert.deepEqual([again.body.state, again.body.failure], ['scheduled', undefined]);
    assert.equal(
      (await aisha.at('POST', scheduledPath(conversation_id, three!.id, 'cancel'), { version: 2 })).status,
      200,
    );
    assert.equal((await untilDue(two)).state, 'sent');
    assert.deepEqual(await sentTexts(badr, conversation_id), ['See you', 'Once more']);
  });

  it('at once where its channel is disconnected', async () => {
    const own = await majlis.workspace();
    const admin = await joinWorkspace(majlis, own, { role: 'admin' });
    const { conversation_id } = await receiveMessage(majlis, own, newDigits());
    const made = await schedule(majlis, admin, conversation_id);
    const path = `/channels/${own.channel_id}/disconnection`;
    assert.equal((await admin.at('GET', path)).body.scheduled_messages, 1);
    const [{ version }] = (await admin.at('GET', '/channel-states')).body.data;
    assert.equal((await admin.at('POST', path, { version })).status, 200);
    const failed = (await admin.at('GET', scheduledPath(conversation_id, made.id))).body;
    assert.deepEqual([failed.state, failed.failure.code], ['failed', 'channel_disconnected']);
    await majlis.advance(3_600);
    assert.deepEqual(await sentTexts(admin, conversation_id), []);
  });
});

it('the file of a scheduled message outlasts the sweep of unused uploads', async () => {
  const digits = newDigits();
  const { conversation_id } = await receiveMessage(majlis, workspace, digits);
  const day = 86_400;
  const [used, unused] = [
    await uploadFile(majlis, workspace, samples.png),
    await uploadFile(majlis, workspace, samples.png),
  ];
  const content = { kind: 'image', media_id: used.body.id };
  const made = await schedule(majlis, aisha, conversation_id, { content, seconds: 60 * day });
  await majlis.advance(59 * day);
  await eventually(
    () => majlis.sql('select from media where id = $1', [parseId('media', unused.body.id)]),
    (rows) => rows.length === 0,
  );
  await majlis.advance(day / 2);
  await receiveMessage(majlis, workspace, digits);
  await majlis.advance(day / 2);
  const ended = await eventually(
    () => majlis.sql('select state from scheduled_messages where id = $1', [parseId('scheduled_message', made.id)]),
    ([row]) => row?.state !== 'scheduled',
  );
  assert.deepEqual(ended, [{ state: 'sent' }]);
  const rows = () =>
    majlis.sql('select from scheduled_messages where id = $1', [parseId('scheduled_message', made.id)]);
  await majlis.advance(8 * day);
  await eventually(rows, (left) => left.length === 0);
});
