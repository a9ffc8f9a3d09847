import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { newDigits, sendText } from '@majlis/testing/messages';
import {
  platformText,
  postNotification,
  receiveText,
  untilNotificationsProcessed,
} from '@majlis/testing/notifications';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { acceptSend, startScriptedPlatform } from '@majlis/testing/scripted-platform';
import { seededRandom } from '@majlis/testing/seeded-random';
import { conversationPath } from '@majlis/testing/start-conversations';
import { startTestService, type TestWorkspace, templateMessage } from '@majlis/testing/start-test-service';
import { publicId } from '../src/database/ids.ts';

// What the platform reports about a message beyond its delivery: clicks and payments (platform-2026, rows 3 and 16).
const platform = await startScriptedPlatform();
const majlis = await startTestService({ env: { CHATAPP_API_URL: platform.api_url, RATE_LIMITS: 'off' } });
let workspace: TestWorkspace;
let badr: Member;
before(async () => {
  workspace = await majlis.workspace();
  badr = await joinWorkspace(majlis, workspace, { role: 'admin' });
});

type Json = Record<string, unknown>;
const nowS = () => Math.floor(Date.now() / 1000);
const post = (value: Json) => postNotification(majlis, workspace, value);
const processed = () => untilNotificationsProcessed(majlis);
let clicks = 0;

const click = (click_id: string, more: Json = {}): Json => ({
  ...{ action_type: 'marketing_messages_link_click', timestamp: String(nowS()) },
  marketing_messages_link_click_data: { click_component: 'cta', click_id, tracking_token: 'token' },
  ...more,
});
const payment = (id: string, digits: string, status: string, at_s: number): Json => ({
  statuses: [
    {
      ...{ id, recipient_id: digits, status, type: 'payment', timestamp: String(at_s) },
      payment: {
        ...{ reference_id: 'order-7', status, amount: { value: 21_500, offset: 1_000 }, currency: 'OMR' },
        transaction: { id: 't1', type: 'upi', status },
      },
    },
  ],
});

/** A customer with a message to them: the public ids, and the platform's. */
async function setScene() {
  const digits = newDigits();
  const conversation = await receiveText(majlis, workspace, digits);
  platform.script(acceptSend);
  const message = await sendText(workspace, conversation);
  const wamid = await eventually(
    async () => platform.wamids.get(message),
    (known) => known !== undefined,
  );
  return { digits, conversation, message, wamid: wamid! };
}

const linesOf = async (id: string): Promise<Json[]> =>
  (await badr.at('GET', `/conversations/${id}/thread`)).body.data.filter(({ kind }: Json) =>
    ['link_clicked', 'payment_reported'].includes(kind as string),
  );
const unreadOf = async (id: string) => (await workspace.api.get(conversationPath(id))).body.unread_count;

describe('a click on a link of a marketing message', () => {
  it('is a line of its message, once, and no message of the customer', async () => {
    const { digits, conversation, message, wamid } = await setScene();
    const before = (await workspace.api.get(conversationPath(conversation, 'messages'))).body.data.length;
    const named = click(`click ${++clicks}`, { context: { id: wamid } });
    await post({ contacts: [{ wa_id: digits }], user_actions: [named, named] });
    await post({ contacts: [{ wa_id: digits }], user_actions: [named] });
    await processed();
    const [line, ...others] = await linesOf(conversation);
    assert.deepEqual([line!.kind, line!.message_id, line!.link], ['link_clicked', message, { component: 'cta' }]);
    assert.deepEqual(others, []);
    const { data } = (await workspace.api.get(conversationPath(conversation, 'messages'))).body;
    assert.equal(data.length, before);
    assert.equal(await unreadOf(conversation), 0);
  });

  it('that names no message belongs to the latest template of its person', async () => {
    const { digits, conversation } = await setScene();
    const template = { ...templateMessage, to: `+${digits}` };
    platform.script(acceptSend);
    const { status, body } = await workspace.api.post('/messages', template);
    assert.equal(status, 201, JSON.stringify(body));
    await post({ contacts: [{ wa_id: digits }], user_actions: [click(`click ${++clicks}`)] });
    await processed();
    const [line] = await linesOf(conversation);
    assert.equal(line!.message_id, body.id);
  });

  it('by a number that they have left is theirs, whoever has it by now', async () => {
    const { digits, conversation } = await setScene();
    const at = nowS();
    const system = { type: 'user_changed_number', body: 'changed', wa_id: newDigits() };
    const change = {
      ...platformText(digits, '', { timestamp: String(at + 60) }),
      text: undefined,
      type: 'system',
      system,
    };
    await post({ messages: [change] });
    await processed();
    await majlis.advance(180);
    const hello = platformText(digits, 'Hello', { timestamp: String(at + 120) });
    await post({ messages: [hello] });
    await processed();
    const [next] = await majlis.sql<{ id: string }>(
      'select conversation_id as id from messages where platform_message_id = $1',
      [hello.id],
    );
    const other = publicId('conversation', next!.id);
    assert.notEqual(other, conversation);
    const clicked = (s: number) => ({ user_actions: [click(`click ${++clicks}`, { timestamp: String(s) })] });
    await post({ contacts: [{ wa_id: digits }], ...clicked(at + 10) });
    await post(payment('wamid.unknown', digits, 'captured', at + 20));
    await post({ contacts: [{ wa_id: digits }], ...clicked(at + 150) });
    await processed();
    const kinds = async (id: string) => (await linesOf(id)).map(({ kind }) => kind);
    assert.deepEqual(
      [await kinds(conversation), await kinds(other)],
      [['link_clicked', 'payment_reported'], ['link_clicked']],
    );
  });

  it('by the number of one person and the user id of another is of the user id', async () => {
    const owner = newDigits();
    const ids = [1, 2].map(() => `OM.${newDigits()}77`);
    const both = platformText(owner, 'Hello', { from_user_id: ids[0] });
    const { from: _, ...hidden } = platformText('', 'Hello', { from_user_id: ids[1] });
    await post({ messages: [hidden] });
    await processed();
    await post({ messages: [both] });
    await processed();
    await post({ contacts: [{ wa_id: owner, user_id: ids[1] }], user_actions: [click(`click ${++clicks}`)] });
    await processed();
    const rows = await majlis.sql<{ id: string }>(
      `select conversation_id as id from messages where platform_message_id = any ($1)
       order by platform_message_id = $2 desc`,
      [[both.id, hidden.id], both.id],
    );
    const lines = await Promise.all(rows.map(({ id }) => linesOf(publicId('conversation', id))));
    assert.deepEqual(
      lines.map(({ length }) => length),
      [0, 1],
    );
  });

  it('of nobody is kept for administrators', async () => {
    await post({ user_actions: [click('click of nobody')] });
    await processed();
    const { data } = (await badr.at('GET', '/platform-notices')).body;
    const kept = data.find(({ raw }: { raw: string }) => raw.includes('click of nobody'));
    assert.equal(kept.reason, 'click of an unknown message');
  });
});

describe('the state of a payment', () => {
  it('is a line of its message, the latest in any order', async () => {
    const random = seededRandom();
    const at = nowS();
    for (let round = 0; round < 5; round++) {
      const { digits, conversation, message, wamid } = await setScene();
      const reports = [
        payment(wamid, digits, 'pending', at),
        payment(wamid, digits, 'failed', at + 5),
        payment(wamid, digits, 'captured', at + 9),
      ];
      const shuffled = [...reports, ...reports].map((value) => ({ value, place: random.next() }));
      for (const { value } of shuffled.toSorted((a, b) => a.place - b.place)) await post(value);
      await processed();
      const [line, ...others] = await linesOf(conversation);
      assert.deepEqual(others, []);
      assert.equal(line!.message_id, message);
      assert.deepEqual(line!.payment, { reference_id: 'order-7', status: 'captured', amount: 21.5, currency: 'OMR' });
      const { data } = (await workspace.api.get(conversationPath(conversation, 'messages'))).body;
      assert.equal(data.find(({ id }: Json) => id === message).status, 'queued');
    }
  });
});
