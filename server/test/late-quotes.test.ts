import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { newToken, wamidOf } from '@majlis/testing/platform-ids';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';

// The platform delivers in any order, and the phone app's history comes newest first: a quote or a reaction may come before its message.
const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const business = '96880000001';
const yesterday = Math.floor(Date.now() / 1000) - 86_400;
const newWamid = () => `wamid.${randomUUID()}`;

async function post(workspace: TestWorkspace, value: Record<string, unknown>, field?: string): Promise<void> {
  await postNotification(majlis, workspace, value, field);
  await untilNotificationsProcessed(majlis);
}

/** What each message of the only conversation quotes, by the bodies of both. */
async function quotesOf({ api }: TestWorkspace): Promise<Record<string, string | undefined>> {
  const pages = ['', '?status=closed'].map(async (query) => (await api.get(`/conversations${query}`)).body.data);
  const [one] = (await Promise.all(pages)).flat();
  const { data } = (await api.get(`/conversations/${one.id}/messages`)).body;
  const bodies = new Map(data.map(({ id, body }: AnyJson) => [id, body]));
  return Object.fromEntries(
    data.flatMap(({ body, reply_to_id }: AnyJson) =>
      reply_to_id ? [[body, bodies.get(reply_to_id) ?? `unknown ${reply_to_id}`]] : [],
    ),
  );
}

/** Lets the time of the service go by until the quotes are these. */
async function untilQuotes(workspace: TestWorkspace, expected: Record<string, string>): Promise<void> {
  const found = await eventually(
    async () => {
      await majlis.operator('POST', '/clock', { advance_seconds: 1 });
      return quotesOf(workspace);
    },
    (quotes) => Object.keys(quotes).length >= Object.keys(expected).length,
  );
  assert.deepEqual(found, expected);
}

const react = (from: string, message_id: string, emoji: string, more: object = {}) =>
  platformText(from, '', { type: 'reaction', text: undefined, reaction: { message_id, emoji }, ...more });

describe('a quote or a reaction that comes before its message', () => {
  it('names it once it is there, by its id or by its token', async () => {
    const workspace = await majlis.workspace();
    const digits = newDigits();
    const [id, token] = [newWamid(), newToken()];
    const [by_number, by_user] = [wamidOf(digits, token), wamidOf(`OM.${digits}`, token)];
    await post(workspace, { messages: [platformText(digits, 'Which one?', { context: { id } })] });
    await post(workspace, { messages: [react(digits, id, '👍')] });
    await post(workspace, { messages: [platformText(digits, 'The second one', { context: { id: by_user } })] });
    const echo = { ...platformText(business, 'This one', { context: { id } }), to: digits };
    await post(workspace, { message_echoes: [echo] }, 'smb_message_echoes');
    assert.deepEqual(await quotesOf(workspace), {});
    await post(workspace, { messages: [platformText(digits, 'First', { id })] });
    await post(workspace, { messages: [platformText(digits, 'Second', { id: by_number })] });
    const ofFirst = { 'Which one?': 'First', '👍': 'First', 'This one': 'First' };
    await untilQuotes(workspace, { ...ofFirst, 'The second one': 'Second' });
  });

  it('names no message of another customer', async () => {
    const workspace = await majlis.workspace();
    const [digits, other, token] = [newDigits(), newDigits(), newToken()];
    await post(workspace, { messages: [platformText(other, 'Of the other', { id: wamidOf(other, token) })] });
    await post(workspace, { messages: [platformText(digits, 'Mine', { context: { id: wamidOf(digits, token) } })] });
    await eventually(
      async () => {
        await majlis.operator('POST', '/clock', { advance_seconds: 600 });
        return majlis.sql(`select from jobs where kind = 'messages.link_quote'`);
      },
      ({ length }) => length === 0,
    );
    assert.deepEqual(await quotesOf(workspace), {});
  });
});

describe('a quote in the history of the phone app', () => {
  const said = (from: string, body: string, at: number, more: object = {}) =>
    platformText(from, body, { timestamp: String(at), history_context: { status: 'READ' }, ...more });
  const share = (workspace: TestWorkspace, id: string, messages: object[]) =>
    post(
      workspace,
      { history: [{ metadata: { phase: 1, chunk_order: 1, progress: 50 }, threads: [{ id, messages }] }] },
      'history',
    );

  it('names a message of a later chunk', async () => {
    const workspace = await majlis.workspace();
    const [digits, token, id] = [newDigits(), newToken(), newWamid()];
    const answer = { to: digits, context: { id: wamidOf(`OM.${digits}`, token) } };
    await post(workspace, { messages: [platformText(digits, 'As I wrote', { context: { id } })] });
    await share(workspace, digits, [said(business, 'Answer', yesterday, answer), react(digits, id, '👍')]);
    await share(workspace, digits, [
      said(digits, 'Question', yesterday - 60, { id: wamidOf(digits, token) }),
      said(digits, 'Wish', yesterday - 50, { id }),
    ]);
    assert.deepEqual(await quotesOf(workspace), { 'As I wrote': 'Wish', Answer: 'Question', '👍': 'Wish' });
  });

  it('still names its message, and that stays revised, where it is reported after the history brought it', async () => {
    const workspace = await majlis.workspace();
    const [digits, edited, deleted] = [newDigits(), newWamid(), newWamid()];
    const first = said(digits, 'Fisrt', yesterday, { id: edited });
    const second = said(digits, 'Second', yesterday + 1, { id: deleted });
    const report = (type: string, content: object, at: number) =>
      said(digits, '', at, { type, text: undefined, [type]: content });
    const message = { type: 'text', text: { body: 'First' } };
    await share(workspace, digits, [
      first,
      second,
      said(digits, 'As above', yesterday + 2, { context: { id: edited } }),
      report('edit', { original_message_id: edited, message }, yesterday + 3),
      report('revoke', { original_message_id: deleted }, yesterday + 4),
    ]);
    assert.deepEqual(await quotesOf(workspace), { 'As above': 'First' });
    await post(workspace, { messages: [first, second] });
    assert.deepEqual(await quotesOf(workspace), { 'As above': 'First' });
    const [{ id, unread_count }] = (await workspace.api.get('/conversations')).body.data;
    assert.equal(unread_count, 2);
    const { data } = (await workspace.api.get(`/conversations/${id}/messages`)).body;
    assert.deepEqual(
      data.map(({ body }: AnyJson) => body),
      ['As above', 'First', undefined],
    );
  });
});
