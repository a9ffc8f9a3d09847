import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { assertRefused } from '@majlis/testing/assert-refused';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { postNotification, receiveText, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { openStream } from '@majlis/testing/open-stream';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { searchDatabase } from '@majlis/testing/search-database';
import { seededRandom } from '@majlis/testing/seeded-random';
import { conversationPath, textMessage } from '@majlis/testing/start-conversations';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';

// Calls are told in the thread, and never answered here (platform-2026, row 9).
const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
let workspace: TestWorkspace;
let badr: Member;
before(async () => {
  workspace = await majlis.workspace();
  badr = await joinWorkspace(majlis, workspace, { role: 'admin' });
});

type Json = Record<string, unknown>;
const nowS = () => Math.floor(Date.now() / 1000);
let calls = 0;
const fourHours = 4 * 3_600;
const newCall = () => `wacid.${++calls}`;

const connect = (id: string, from: string, at_s = nowS()): Json => ({
  contacts: [{ profile: { name: 'Muna' }, wa_id: from }],
  calls: [
    {
      ...{ id, from, to: '96880000001', event: 'connect', timestamp: String(at_s), direction: 'USER_INITIATED' },
      session: { sdp_type: 'offer', sdp: 'v=0' },
    },
  ],
});
const terminate = (id: string, from: string, at_s = nowS(), more: Json = {}): Json => ({
  calls: [
    {
      ...{ id, from, to: '96880000001', event: 'terminate', timestamp: String(at_s), direction: 'USER_INITIATED' },
      ...{ status: 'FAILED', ...more },
    },
  ],
});
const lasted = (seconds: number) => ({ status: 'COMPLETED', start_time: '1', end_time: '2', duration: seconds });
const post = (value: Json) => postNotification(majlis, workspace, value, 'calls');
const processed = () => untilNotificationsProcessed(majlis);

async function conversationOf(digits: string): Promise<Json & { id: string; contact_id: string }> {
  const { data } = (await workspace.api.get(`/contacts?q=${digits}`)).body;
  const all = (await workspace.api.get('/conversations?limit=100')).body.data;
  return all.find(({ contact_id }: Json) => contact_id === data[0].id);
}
const threadOf = async (id: string) => (await badr.at('GET', `/conversations/${id}/thread`)).body.data as Json[];
const callsOf = async (id: string) =>
  (await threadOf(id)).flatMap(({ kind, call, created_at }) => (kind === 'called' ? [{ call, created_at }] : []));

describe('a call of a customer', () => {
  it('begins a conversation, opens the window and counts as no message', async () => {
    const digits = newDigits();
    const at = nowS();
    await post(connect(newCall(), digits, at));
    await processed();
    const { id, contact_id, status, unread_count, window_expires_at } = await conversationOf(digits);
    assert.deepEqual([status, unread_count], ['open', 0]);
    assert.equal(window_expires_at, new Date((at + 86_400) * 1000).toISOString());
    assert.equal((await workspace.api.get(`/contacts/${contact_id}`)).body.name, 'Muna');
    assert.deepEqual((await workspace.api.get(conversationPath(id, 'messages'))).body.data, []);
    assert.equal((await workspace.api.post(conversationPath(id, 'messages'), textMessage)).status, 201);
    assert.deepEqual(await callsOf(id), [
      {
        call: { by: 'customer', outcome: 'begun', ends_by: new Date((at + fourHours) * 1000).toISOString() },
        created_at: new Date(at * 1000).toISOString(),
      },
    ]);
  });

  it('is a missed one, or has its duration, in its one line', async () => {
    const digits = newDigits();
    const [missed, answered] = [newCall(), newCall()];
    await post(connect(missed, digits));
    await post(terminate(missed, digits));
    await post(connect(answered, digits));
    await post(terminate(answered, digits, nowS(), lasted(125)));
    await processed();
    const { id } = await conversationOf(digits);
    assert.deepEqual(
      (await callsOf(id)).map(({ call }) => call),
      [
        { by: 'customer', outcome: 'missed' },
        { by: 'customer', outcome: 'answered', duration_seconds: 125 },
      ],
    );
  });

  it('has the time from its start to its end where the platform states no duration', async () => {
    const digits = newDigits();
    const at = nowS();
    const span = { start_time: String(at - 40), end_time: String(at - 1) };
    const ends: Json[] = [
      { status: 'COMPLETED', ...span },
      { status: 'COMPLETED', start_time: at - 7, end_time: at - 7 },
      { status: ['COMPLETED'], ...span },
      { status: 'FAILED', ...span },
      { status: 'REJECTED', ...span },
      { status: 'COMPLETED', end_time: String(at) },
    ];
    for (const end of ends) await post(terminate(newCall(), digits, at, end));
    await processed();
    const { id } = await conversationOf(digits);
    const told = (await callsOf(id)).map(({ call }) => call as Json);
    assert.deepEqual(
      told.map(({ outcome, duration_seconds }) => duration_seconds ?? outcome),
      [39, 1, 39, 'missed', 'missed', 'missed'],
    );
  });

  it('reopens a closed conversation and ends its snooze', async () => {
    const digits = newDigits();
    const id = await receiveText(majlis, workspace, digits);
    assert.equal((await workspace.api.post(conversationPath(id, 'close'), {})).status, 200);
    await post(connect(newCall(), digits));
    await processed();
    assert.equal((await workspace.api.get(conversationPath(id))).body.status, 'open');
    const lines = (await threadOf(id)).map(({ kind }) => kind);
    assert.deepEqual(lines.slice(-2).toSorted(), ['called', 'reopened']);
  });

  it('opens no window by its end alone, and none by a call of the business', async () => {
    const [first, second] = [newDigits(), newDigits()];
    await post(terminate(newCall(), first));
    const id = newCall();
    const outgoing = { direction: 'BUSINESS_INITIATED', from: '96880000001', to: second };
    for (const report of [connect(id, second), terminate(id, second)]) {
      await post({ ...report, calls: (report.calls as Json[]).map((call) => ({ ...call, ...outgoing })) });
    }
    await processed();
    for (const [digits, by] of [
      [first, 'customer'],
      [second, 'business'],
    ] as const) {
      const { id, window_expires_at } = await conversationOf(digits);
      assert.equal(window_expires_at, undefined);
      assert.deepEqual((await callsOf(id))[0]!.call, { by, outcome: 'missed' });
      assertRefused(await workspace.api.post(conversationPath(id, 'messages'), textMessage), 409, 'window_closed');
    }
  });

  it('reaches an open thread as it changes', async () => {
    const digits = newDigits();
    const id = await receiveText(majlis, workspace, digits);
    const stream = await openStream(majlis, badr);
    await post(connect(newCall(), digits));
    await stream.until(({ kind, conversation_id }: Json) => kind === 'conversation' && conversation_id === id);
  });

  it('ends in the same state, whatever the order and the repetition of its reports', async () => {
    const random = seededRandom();
    const at = nowS() - 60;
    for (let round = 0; round < 40; round++) {
      const digits = newDigits();
      const [one, two] = [newCall(), newCall()];
      const reports = [
        connect(one, digits, at),
        terminate(one, digits, at + 9),
        connect(two, digits, at + 20),
        terminate(two, digits, at + 50, lasted(30)),
      ];
      const shuffled = [...reports, ...reports].map((value) => ({ value, place: random.next() }));
      for (const { value } of shuffled.toSorted((a, b) => a.place - b.place)) await post(value);
      await processed();
      const { id, window_expires_at, unread_count } = await conversationOf(digits);
      assert.equal(window_expires_at, new Date((at + 20 + 86_400) * 1000).toISOString());
      assert.equal(unread_count, 0);
      const found = await callsOf(id);
      assert.deepEqual(
        found.toSorted((a, b) => ((a.created_at as string) < (b.created_at as string) ? -1 : 1)),
        [
          { call: { by: 'customer', outcome: 'missed' }, created_at: new Date(at * 1000).toISOString() },
          {
            call: { by: 'customer', outcome: 'answered', duration_seconds: 30 },
            created_at: new Date((at + 20) * 1000).toISOString(),
          },
        ],
        `round ${round}`,
      );
    }
  });

  it('goes with its contact', async () => {
    const digits = newDigits();
    const call = newCall();
    await post(connect(call, digits));
    await processed();
    const { contact_id } = await conversationOf(digits);
    assert.equal((await workspace.api.request('DELETE', `/contacts/${contact_id}`)).status, 204);
    await eventually(
      () =>
        majlis.sql<{ count: number }>(
          `select count(*)::int as count from conversation_changes where report_key like '%' || $1`,
          [call],
        ),
      ([row]) => row!.count === 0,
    );
  });

  it('goes with its contact for good, whatever is reported of it after the erasure', async () => {
    const digits = newDigits();
    const [call, next] = [newCall(), newCall()];
    const of = { id: call, recipient_id: digits, timestamp: String(nowS()) };
    await post(connect(call, digits));
    await processed();
    const { contact_id } = await conversationOf(digits);
    assert.equal((await workspace.api.request('DELETE', `/contacts/${contact_id}`)).status, 204);
    await post({ statuses: [{ ...of, type: 'call', status: 'ACCEPTED' }] });
    await post(terminate(call, digits, nowS(), lasted(9)));
    await post(connect(call, digits));
    await processed();
    assert.deepEqual((await workspace.api.get(`/contacts?q=${digits}`)).body.data, []);
    assert.deepEqual(await searchDatabase(majlis, [digits, call]), []);
    // Another call is a new one's.
    await post(terminate(next, digits));
    await processed();
    const { id } = await conversationOf(digits);
    assert.deepEqual(
      (await callsOf(id)).map(({ call }) => (call as Json).outcome),
      ['missed'],
    );
  });

  it('says that its end was not reported, once no call lasts so long, and takes a late end', async () => {
    const digits = newDigits();
    const [lost, accepted, ended] = [newCall(), newCall(), newCall()];
    const at = nowS();
    await post(connect(lost, digits, at));
    await post(connect(accepted, digits, at));
    const of = { recipient_id: digits, timestamp: String(at) };
    await post({ statuses: [{ id: accepted, type: 'call', status: 'ACCEPTED', ...of }] });
    await post(connect(ended, digits, at));
    await post(terminate(ended, digits, at));
    await processed();
    const { id } = await conversationOf(digits);
    const of_calls = async () => (await callsOf(id)).map(({ call }) => call);
    const ends_by = new Date((at + fourHours) * 1000).toISOString();
    const begun = { by: 'customer', outcome: 'begun', ends_by };
    const missed = { by: 'customer', outcome: 'missed' };
    assert.deepEqual(await of_calls(), [begun, { ...begun, outcome: 'answered' }, missed]);
    await majlis.advance(fourHours - 60);
    assert.deepEqual(await of_calls(), [begun, { ...begun, outcome: 'answered' }, missed]);
    await majlis.advance(120);
    const unreported = { by: 'customer', outcome: 'unreported' };
    assert.deepEqual(await of_calls(), [unreported, unreported, missed]);
    await post(terminate(lost, digits, at + fourHours, lasted(fourHours)));
    await processed();
    const late = { by: 'customer', outcome: 'answered', duration_seconds: fourHours };
    assert.deepEqual(await of_calls(), [late, unreported, missed]);
  });
});
