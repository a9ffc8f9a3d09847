import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newDigits, untilDispatched } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { conversationPath, nobody, startConversations, textMessage } from '@majlis/testing/start-conversations';
import { parseId, publicId } from '../src/database/ids.ts';

const { majlis, workspace, ids, foreignIds, begin, read, act, done, assertRefusedUnchanged } =
  await startConversations();

const closingsOf = (id: string) =>
  majlis.sql('select * from conversation_closings where conversation_id = $1 order by id', [
    parseId('conversation', id),
  ]);

const notesOf = async (id: string) => {
  const { body } = await workspace.api.get(conversationPath(id, 'messages'));
  return body.data.filter(({ kind }: { kind: string }) => kind === 'note');
};

describe('closing and reopening', () => {
  it('keeps the reason, the summary and where the conversation stood, each time', async () => {
    const id = await begin();
    await done(id, 'assign', { assignee_id: ids.users[0], team_id: ids.teams[0] });
    const [category] = ids.closing_categories as [string];
    const closed = await done(id, 'close', { category_id: category, summary: 'Delivered. \u0645' });
    assert.equal(closed.status, 'closed');
    await majlis.advance(60);
    assert.equal((await done(id, 'reopen')).status, 'open');
    await majlis.advance(60);
    await done(id, 'close', {});
    const [first, second] = await closingsOf(id);
    assert.deepEqual(
      [
        publicId('closing_category', first!.category_id),
        first!.summary,
        publicId('user', first!.assignee_id),
        first!.closed_by,
      ],
      [category, 'Delivered. م', ids.users[0], null],
    );
    assert.deepEqual([second!.category_id, second!.summary], [null, null]);
    assert.ok(first!.opened_at < first!.closed_at && first!.closed_at < second!.opened_at);
    assert.ok(second!.opened_at < second!.closed_at);
  });

  it('closes once: a closed conversation and its reason stay', async () => {
    const id = await begin();
    const replies = await Promise.all(
      ['a', 'b', 'c', 'd'].map((summary) => act(id, 'close', { summary, send_csat: true })),
    );
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200, 200, 200],
    );
    assert.equal((await closingsOf(id)).length, 1);
    assert.equal((await notesOf(id)).length, 1);
    await done(id, 'close', { summary: 'late', category_id: ids.closing_categories[1] });
    assert.equal((await closingsOf(id)).length, 1);
  });

  it('refuses a reason that the workspace does not have', async () => {
    const id = await begin();
    for (const category_id of [nobody, foreignIds.closing_categories[0], 'Resolved', '', null]) {
      await assertRefusedUnchanged(id, 'close', { category_id }, '/category_id');
    }
    assert.deepEqual(await closingsOf(id), []);
  });

  it('reopens when the customer writes, and by a send to the number', async () => {
    const digits = newDigits();
    const id = await receiveText(majlis, workspace, digits);
    await done(id, 'close', {});
    await receiveText(majlis, workspace, digits);
    assert.equal((await read(id)).status, 'open');
    await done(id, 'close', {});
    await workspace.api.post('/messages', { to: `+${digits}`, ...textMessage });
    assert.equal((await read(id)).status, 'open');
    await done(id, 'close', {});
    const times = (await closingsOf(id)).flatMap(({ opened_at, closed_at }) => [+opened_at, +closed_at]);
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    );
  });
});

describe('the satisfaction survey', () => {
  const sentTo = (digits: string) =>
    majlis.simulator.ledger().filter(({ body }) => (body as { to: string }).to.replace('+', '') === digits);

  it('is sent before the conversation closes, in the language of the workspace', async () => {
    const digits = newDigits();
    const id = await receiveText(majlis, workspace, digits);
    assert.equal((await done(id, 'close', { send_csat: true })).status, 'closed');
    await untilDispatched(majlis);
    const { body } = await workspace.api.get(conversationPath(id, 'messages'));
    const survey = body.data.at(-1);
    assert.deepEqual([survey.kind, survey.direction], ['text', 'outbound']);
    assert.match(survey.body, /رضاك/);
    assert.equal(sentTo(digits).length, 1);
    assert.equal(publicId('message', (await closingsOf(id))[0]!.survey_message_id), survey.id);
    assert.deepEqual(await notesOf(id), []);
  });

  it('is asked in the words of the operator, or in English where we have none of the language', async () => {
    for (const [file, expected] of [
      [{ csat_text: 'Happy?' }, /^Happy\?$/],
      [{ workspace: { name: `Tokyo ${Date.now()}`, language: 'ja' } }, /^How satisfied/],
    ] as const) {
      const other = await majlis.workspace(file);
      const id = await receiveText(majlis, other, newDigits());
      await other.api.post(conversationPath(id, 'close'), { send_csat: true });
      assert.match((await other.api.get(conversationPath(id, 'messages'))).body.data.at(-1).body, expected);
    }
  });

  it('is not sent unless it is asked for', async () => {
    const id = await receiveText(majlis, workspace, newDigits());
    for (const body of [{}, { send_csat: false }]) {
      await done(id, 'close', body);
      await done(id, 'reopen');
    }
    assert.equal((await workspace.api.get(conversationPath(id, 'messages'))).body.data.length, 1);
  });

  const gates: [string, (id: string) => Promise<unknown>][] = [
    ['window_closed', () => majlis.advance(86_400)],
    ['bot_in_control', (id) => done(id, 'handover', { to: 'bot' })],
    [
      'contact_blocked',
      async (id) =>
        majlis.sql('update contacts set blocked = true where id = $1', [
          parseId('contact', (await read(id)).contact_id),
        ]),
    ],
  ];
  for (const [code, shut] of gates) {
    it(`is not sent against ${code}: the conversation closes, and a note says why`, async () => {
      const digits = newDigits();
      const id = await receiveText(majlis, workspace, digits);
      await shut(id);
      assert.equal((await done(id, 'close', { send_csat: true })).status, 'closed');
      const notes = await notesOf(id);
      assert.equal(notes.length, 1);
      assert.ok(notes[0].body.includes(code), notes[0].body);
      assert.equal((await closingsOf(id))[0]!.survey_message_id, null);
      assert.equal(sentTo(digits).length, 0);
    });
  }
});
