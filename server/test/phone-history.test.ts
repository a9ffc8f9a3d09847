import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { newToken, wamidOf } from '@majlis/testing/platform-ids';
import { seededRandom } from '@majlis/testing/seeded-random';
import { conversationPath } from '@majlis/testing/start-conversations';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { publishWorkflows, untilWorkflowsIdle } from '@majlis/testing/workflows';
import { parseId } from '../src/database/ids.ts';

// A number that also stands in the phone app shares its messages and its address book (platform-2026, row 11).
const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const business = '96880000001';
const dayS = 86_400;
const nowS = () => Math.floor(Date.now() / 1000);

type Json = Record<string, unknown>;

const said = (from: string, body: string, at_s: number, more: Json = {}): Json => ({
  ...platformText(from, body, { timestamp: String(at_s) }),
  history_context: { status: 'READ' },
  ...more,
});
const answered = (to: string, body: string, at_s: number) => said(business, body, at_s, { to });
const chunk = (threads: { id: string; messages: Json[] }[], metadata: Json = {}): Json => ({
  history: [{ metadata: { phase: 1, chunk_order: 1, progress: 50, ...metadata }, threads }],
});
const entry = (digits: string, full_name: string, at_s: number, action = 'add'): Json => ({
  state_sync: [
    { type: 'contact', action, contact: { full_name, phone_number: digits }, metadata: { timestamp: String(at_s) } },
  ],
});
const share = (workspace: TestWorkspace, value: Json) => postNotification(majlis, workspace, value, 'history');
const sync = (workspace: TestWorkspace, value: Json) =>
  postNotification(majlis, workspace, value, 'smb_app_state_sync');

async function conversationsOf(workspace: TestWorkspace) {
  const pages = ['', '?status=closed'].map(
    async (query) => (await workspace.api.get(`/conversations${query}`)).body.data,
  );
  const all = (await Promise.all(pages)).flat() as Json[];
  return [...new Map(all.map((one) => [one.id, one])).values()];
}

async function onlyConversation(workspace: TestWorkspace) {
  const [one, ...others] = await conversationsOf(workspace);
  assert.equal(others.length, 0);
  return one as Json & { id: string; contact_id: string };
}

const eventsOf = async (workspace: TestWorkspace) =>
  (
    await majlis.sql<{ type: string }>('select type from events where workspace_id = $1', [
      parseId('workspace', workspace.id),
    ])
  ).map(({ type }) => type);

const bodiesOf = async (workspace: TestWorkspace, id: string) =>
  (await workspace.api.get(conversationPath(id, 'messages'))).body.data.map(({ body }: Json) => body);

describe('the history of the phone app', () => {
  let workspace: TestWorkspace;
  let admin: Member;
  before(async () => {
    workspace = await majlis.workspace();
    admin = await joinWorkspace(majlis, workspace, { role: 'admin' });
  });

  it('stands in the thread with its times, and nothing follows from it', async () => {
    const step = { do: 'send_message', text: 'A robot greets you.' };
    await publishWorkflows(majlis, workspace, { name: 'Greet', trigger: 'message_received', steps: [step] });
    const digits = newDigits();
    const at = nowS() - 30 * dayS;
    const messages = [
      said(digits, 'STOP', at + 60),
      answered(digits, 'We open at nine.', at + 30),
      said(digits, 'When do you open?', at),
    ];
    await share(workspace, chunk([{ id: digits, messages }]));
    await untilNotificationsProcessed(majlis);
    await untilWorkflowsIdle(majlis);
    const found = await onlyConversation(workspace);
    const { status, unread_count, window_expires_at, last_message_at } = found;
    assert.deepEqual(
      { status, unread_count, window_expires_at, last_message_at },
      {
        status: 'closed',
        unread_count: 0,
        window_expires_at: undefined,
        last_message_at: new Date((at + 60) * 1000).toISOString(),
      },
    );
    const { data } = (await workspace.api.get(conversationPath(found.id, 'messages'))).body;
    assert.deepEqual(
      data.map(({ direction, body, created_at, status: state }: Json) => [direction, body, created_at, state]),
      [
        ['inbound', 'When do you open?', new Date(at * 1000).toISOString(), undefined],
        ['outbound', 'We open at nine.', new Date((at + 30) * 1000).toISOString(), undefined],
        ['inbound', 'STOP', new Date((at + 60) * 1000).toISOString(), undefined],
      ],
    );
    const { consents } = (await workspace.api.get(`/contacts/${found.contact_id}`)).body;
    assert.deepEqual(consents ?? {}, {});
    assert.deepEqual((await workspace.api.get('/workflow-runs')).body.data ?? [], []);
    assert.deepEqual(await eventsOf(workspace), []);
    // As of a member who joined before.
    await majlis.sql(`update users set joined_at = now() - interval '40 days' where id = $1`, [
      parseId('user', admin.user_id),
    ]);
    const marks = (await admin.at('GET', `/read-marks?conversation_ids=${found.id}`)).body.data;
    assert.deepEqual(
      marks.map(({ unread_count: count }: Json) => count),
      [0],
    );
  });

  it('makes no difference for what the customer writes from now on', async () => {
    const other = await majlis.workspace();
    const member = await joinWorkspace(majlis, other, { role: 'agent' });
    const digits = newDigits();
    await share(other, chunk([{ id: digits, messages: [said(digits, 'Long ago', nowS() - 20 * dayS)] }]));
    await untilNotificationsProcessed(majlis);
    await postNotification(majlis, other, { messages: [platformText(digits, 'Hello again')] });
    await untilNotificationsProcessed(majlis);
    const { id, status, unread_count, window_expires_at, assignee_id } = await onlyConversation(other);
    assert.deepEqual([status, unread_count, typeof window_expires_at], ['open', 1, 'string']);
    assert.equal(assignee_id, member.user_id);
    const events = ['conversation.assigned', 'conversation.reopened', 'message.received'];
    assert.deepEqual((await eventsOf(other)).toSorted(), events);
    // The member joined after the time of the imported message, and is told of the new one alone.
    await majlis.sql(`update users set joined_at = now() - interval '40 days' where id = $1`, [
      parseId('user', member.user_id),
    ]);
    const { data } = (await member.at('GET', `/read-marks?conversation_ids=${id}`)).body;
    assert.deepEqual(
      data.map(({ unread_count: count }: Json) => count),
      [1],
    );
  });

  it('that the business does not share is told to administrators', async () => {
    const errors = [{ code: 2593109, title: 'History sync is turned off by the business from the phone app' }];
    await share(workspace, { history: [{ errors }] });
    const { counts } = await eventually(
      async () => (await admin.at('GET', '/platform-notices')).body,
      ({ counts: known }) => known.some(({ field }: Json) => field === 'history'),
    );
    const [told] = counts.filter(({ field }: Json) => field === 'history');
    assert.equal(told.reason, 'history declined 2593109');
  });

  it('shows on its channel how far it is, never goes back, and ends, whatever the order of its chunks', async () => {
    const random = seededRandom();
    const reports = [
      { phase: 0, chunk_order: 1, progress: 5 },
      { phase: 0, chunk_order: 2, progress: 20 },
      { phase: 1, chunk_order: 1, progress: 45 },
      { phase: 2, chunk_order: 1, progress: 80 },
    ];
    const errors = [{ code: 2593109, title: 'History sync is turned off by the business from the phone app' }];
    for (let round = 0; round < 4; round++) {
      const other = await majlis.workspace();
      const member = await joinWorkspace(majlis, other, { role: 'admin' });
      const historyOf = async () => (await member.at('GET', '/channel-states')).body.data[0].history;
      const told = async (value: Json) => {
        await share(other, value);
        await untilNotificationsProcessed(majlis);
        return historyOf();
      };
      assert.equal(await historyOf(), undefined);
      assert.deepEqual(await told({ history: [{ errors }] }), { state: 'declined' });
      const digits = newDigits();
      let [phase, progress] = [0, 0];
      const shuffled = [...reports, ...reports].map((report) => ({ report, place: random.next() }));
      for (const { report } of shuffled.toSorted((a, b) => a.place - b.place)) {
        const messages = [said(digits, `At ${report.progress}`, nowS() - dayS)];
        [phase, progress] = [Math.max(phase, report.phase), Math.max(progress, report.progress)];
        const shown = await told(chunk([{ id: digits, messages }], report));
        assert.deepEqual(shown, { state: 'running', phase, progress });
      }
      const strange = { phase: -1, progress: 4_000 };
      assert.deepEqual(await told(chunk([], strange)), { state: 'running', phase: 2, progress: 80 });
      const last = { phase: 2, chunk_order: 2, progress: 100 };
      assert.deepEqual(await told(chunk([], last)), { state: 'finished', phase: 2, progress: 100 });
      assert.deepEqual(await told(chunk([], reports[1])), { state: 'finished', phase: 2, progress: 100 });
      assert.equal((await other.api.get('/channels')).body.data[0].history, undefined);
    }
  });

  it('stores a message once that comes as it is written and under the other id of its person', async () => {
    const own = await majlis.workspace();
    const digits = newDigits();
    const user_id = `OM.${newDigits()}00`;
    const at = nowS() - 60;
    const both = () => {
      const token = newToken();
      return { by_number: wamidOf(digits, token), by_user: wamidOf(user_id, token) };
    };
    const [live, old, file] = [both(), both(), both()];
    await postNotification(majlis, own, {
      messages: [platformText(digits, 'As it is written', { id: live.by_number, from_user_id: user_id })],
    });
    await untilNotificationsProcessed(majlis);
    const named = (body: string, at_s: number, id: string, more: Json = {}) =>
      said(digits, body, at_s, { id, from_user_id: user_id, ...more });
    const placeholder = { type: 'media_placeholder', text: undefined };
    const messages = [
      named('As it is written', at + 1, live.by_user),
      named('Older', at - dayS, old.by_user),
      named('', at - dayS + 1, file.by_number, placeholder),
    ];
    await share(own, chunk([{ id: digits, messages: [...messages, named('Older', at - dayS, old.by_number)] }]));
    await untilNotificationsProcessed(majlis);
    const image = { type: 'image', text: undefined, image: { id: '1', mime_type: 'image/jpeg', caption: 'The file' } };
    await share(own, { messages: [named('', at - dayS + 1, file.by_user, image)] });
    await untilNotificationsProcessed(majlis);
    const { id, unread_count } = await onlyConversation(own);
    assert.deepEqual(await bodiesOf(own, id), ['Older', 'The file', 'As it is written']);
    assert.equal(unread_count, 1);
  });

  it('does not end with a reaction that was taken back', async () => {
    const own = await majlis.workspace();
    const digits = newDigits();
    const at = nowS() - 3 * dayS;
    const reaction = (emoji: string, at_s: number) =>
      said(digits, '', at_s, { type: 'reaction', text: undefined, reaction: { message_id: 'wamid.none', emoji } });
    const messages = [reaction('', at + 90), answered(digits, 'We open at nine.', at)];
    await share(own, chunk([{ id: digits, messages }]));
    await untilNotificationsProcessed(majlis);
    const lastOf = async () => (await onlyConversation(own)).last_message_at;
    assert.equal(await lastOf(), new Date(at * 1000).toISOString());
    await share(own, chunk([{ id: digits, messages: [reaction('', at + 120), said(digits, 'Thanks', at + 60)] }]));
    await untilNotificationsProcessed(majlis);
    assert.equal(await lastOf(), new Date((at + 60) * 1000).toISOString());
  });

  it('leaves messages of groups out', async () => {
    const other = await majlis.workspace();
    const digits = newDigits();
    const messages = [said(digits, 'In the group', nowS() - dayS, { group_id: 'g1' })];
    await share(other, chunk([{ id: digits, messages }]));
    await untilNotificationsProcessed(majlis);
    assert.deepEqual(await conversationsOf(other), []);
  });

  it('gets its files, whichever comes first', async () => {
    const other = await majlis.workspace();
    const digits = newDigits();
    const [first, second] = [`wamid.${randomUUID()}`, `wamid.${randomUUID()}`];
    const at = nowS() - dayS;
    const empty = (id: string, at_s: number) =>
      said(digits, '', at_s, { id, type: 'media_placeholder', text: undefined });
    const filled = (id: string, at_s: number) => {
      const image = { id: `media${id}`, mime_type: 'image/jpeg', caption: 'The roof' };
      return { messages: [said(digits, '', at_s, { id, type: 'image', text: undefined, image })] };
    };
    await share(other, chunk([{ id: digits, messages: [empty(first, at)] }]));
    await untilNotificationsProcessed(majlis);
    await share(other, filled(first, at));
    await share(other, filled(second, at + 1));
    await untilNotificationsProcessed(majlis);
    await share(other, chunk([{ id: digits, messages: [empty(second, at + 1)] }]));
    await untilNotificationsProcessed(majlis);
    const { id } = await onlyConversation(other);
    const { data } = (await other.api.get(conversationPath(id, 'messages'))).body;
    assert.deepEqual(
      data.map(({ kind, caption }: Json) => [kind, caption]),
      [
        ['image', 'The roof'],
        ['image', 'The roof'],
      ],
    );
  });

  it('is erased with its contact', async () => {
    const other = await majlis.workspace();
    const digits = newDigits();
    await sync(other, entry(digits, 'Abu Salim', nowS()));
    await share(other, chunk([{ id: digits, messages: [said(digits, 'Old words', nowS() - dayS)] }]));
    await untilNotificationsProcessed(majlis);
    const { contact_id } = await onlyConversation(other);
    assert.equal((await other.api.request('DELETE', `/contacts/${contact_id}`)).status, 204);
    const left = await majlis.sql<{ count: number }>(
      `select (select count(*) from messages where body = 'Old words')::int
        + (select count(*) from address_book_entries where name = 'Abu Salim')::int as count`,
    );
    assert.equal(left[0]!.count, 0);
  });

  it('gives a thread of thousands of messages in pages', async () => {
    const other = await majlis.workspace();
    const digits = newDigits();
    const at = nowS() - 100 * dayS;
    const messages = Array.from({ length: 3_000 }, (_, n) => said(n % 2 ? digits : business, `Line ${n}`, at + n));
    await share(other, chunk([{ id: digits, messages }]));
    await untilNotificationsProcessed(majlis, 60_000);
    const { id } = await onlyConversation(other);
    const bodies: unknown[] = [];
    for (let cursor = ''; bodies.length < 3_000; ) {
      const page = (await other.api.get(`${conversationPath(id, 'messages')}?limit=100${cursor}`)).body;
      bodies.unshift(...page.data.map(({ body }: Json) => body));
      cursor = page.next_cursor ? `&cursor=${encodeURIComponent(page.next_cursor)}` : '';
      if (!cursor) break;
    }
    assert.deepEqual(
      bodies,
      messages.map((_, n) => `Line ${n}`),
    );
  });
});

describe('chunks of the history, the address book and new messages in any order', () => {
  const digits = [newDigits(), newDigits(), newDigits()];
  const at = nowS() - 10 * dayS;
  const old = digits.flatMap((number, n) =>
    Array.from({ length: 6 }, (_, k) =>
      k % 2 ? answered(number, `Answer ${n} ${k}`, at + k * 60) : said(number, `Question ${n} ${k}`, at + k * 60),
    ),
  );
  const live = digits.map((number, n) => platformText(number, `New ${n}`));
  const ofThread = (n: number, from: number, to: number) => ({
    id: digits[n]!,
    messages: old.slice(n * 6 + from, n * 6 + to),
  });
  const reports: ((workspace: TestWorkspace) => Promise<void>)[] = [
    (workspace) => share(workspace, chunk([ofThread(0, 0, 3), ofThread(1, 0, 6)])),
    (workspace) => share(workspace, chunk([ofThread(0, 2, 6), ofThread(2, 0, 2)], { phase: 2 })),
    (workspace) => share(workspace, chunk([ofThread(2, 1, 6)], { phase: 2, chunk_order: 2, progress: 100 })),
    // The history overlaps with the first new message.
    (workspace) => share(workspace, chunk([{ id: digits[0]!, messages: [live[0]!] }])),
    (workspace) => sync(workspace, entry(digits[2]!, 'Abu Salim', at)),
    (workspace) => sync(workspace, entry(digits[2]!, 'Abu Salim Al Harthy', at + 60)),
    (workspace) => sync(workspace, entry(digits[2]!, 'Abu Salim', at + 90, 'remove')),
    (workspace) => postNotification(majlis, workspace, { messages: [live[0]!] }),
    (workspace) => postNotification(majlis, workspace, { messages: [live[1]!] }),
  ];

  async function stateOf(workspace: TestWorkspace) {
    const found = await conversationsOf(workspace);
    const states = found.map(async ({ id, contact_id, status, unread_count, window_expires_at, created_at }) => {
      const { name, identities } = (await workspace.api.get(`/contacts/${contact_id}`)).body;
      const [{ identifier }] = identities;
      const bodies = await bodiesOf(workspace, id as string);
      return {
        identifier,
        name,
        status,
        unread_count,
        has_window: window_expires_at !== undefined,
        created_at,
        bodies,
      };
    });
    return (await Promise.all(states)).toSorted((a, b) => (a.identifier < b.identifier ? -1 : 1));
  }

  it('end in the same state', async () => {
    const random = seededRandom();
    const expected = await majlis.workspace();
    for (const report of reports) {
      await report(expected);
      await untilNotificationsProcessed(majlis);
    }
    const state = await stateOf(expected);
    assert.deepEqual(
      state
        .map(({ name, status, unread_count, has_window, bodies }) => [
          name,
          status,
          unread_count,
          has_window,
          bodies.length,
        ])
        .toSorted(),
      [
        ['Abu Salim Al Harthy', 'closed', 0, false, 6],
        [undefined, 'open', 1, true, 7],
        [undefined, 'open', 1, true, 7],
      ].toSorted(),
    );
    for (let round = 0; round < 12; round++) {
      const workspace = await majlis.workspace();
      const twice = [...reports, ...reports]
        .map((report) => ({ report, at: random.next() }))
        .toSorted((a, b) => a.at - b.at);
      for (const { report } of twice) {
        await report(workspace);
        if (random.next() < 0.3) await untilNotificationsProcessed(majlis);
      }
      await untilNotificationsProcessed(majlis);
      assert.deepEqual(await stateOf(workspace), state, `round ${round}`);
    }
  });
});

describe('the address book of the phone app', () => {
  it('leaves a name that a person gave, and one that the customer chose', async () => {
    const workspace = await majlis.workspace();
    const [given, chosen, none] = [newDigits(), newDigits(), newDigits()];
    const upsert = { identities: [{ channel_type: 'chatapp', identifier: `+${given}` }], name: 'Given by us' };
    await workspace.api.post('/contacts', upsert);
    await postNotification(majlis, workspace, {
      contacts: [{ profile: { name: 'Chosen' }, wa_id: chosen }],
      messages: [platformText(chosen, 'Hi')],
    });
    await postNotification(majlis, workspace, { messages: [platformText(none, 'Hi')] });
    await untilNotificationsProcessed(majlis);
    for (const digits of [given, chosen, none]) await sync(workspace, entry(`+${digits}`, 'From the phone', nowS()));
    await sync(workspace, entry(newDigits(), 'A stranger', nowS()));
    await untilNotificationsProcessed(majlis);
    const { data } = (await workspace.api.get('/contacts')).body;
    assert.deepEqual(data.map(({ name }: Json) => name).toSorted(), ['Chosen', 'From the phone', 'Given by us']);
    const [renamed] = data.filter(({ name }: Json) => name === 'From the phone');
    await workspace.api.request('PATCH', `/contacts/${renamed.id}`, { name: 'Mended by us' });
    await sync(workspace, entry(none, 'Newer on the phone', nowS() + 5));
    await sync(workspace, entry(none, '', nowS() + 6, 'remove'));
    await untilNotificationsProcessed(majlis);
    assert.equal((await workspace.api.get(`/contacts/${renamed.id}`)).body.name, 'Mended by us');
  });
});
