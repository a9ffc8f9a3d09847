import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { createApi } from '@majlis/testing/api';
import { assertRefused } from '@majlis/testing/assert-refused';
import { newDigits } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off', PAGE_SIZE_DEFAULT: '2' } });

let workspace: TestWorkspace;
let conversation_id: string;

// More conversations, and more messages in one of them, than a page has.
before(async () => {
  workspace = await majlis.workspace();
  const digits = newDigits();
  for (const from of [newDigits(), newDigits(), digits, digits, digits]) {
    conversation_id = await receiveText(majlis, workspace, from);
  }
});

describe('a query', () => {
  const unusable = [
    ...['limit=0', 'limit=-1', 'limit=-0', 'limit=', 'limit=abc', 'limit=1.5', 'limit=1e9', 'limit=0x10', 'limit=true'],
    ...[
      'limit=null',
      'limit=%205',
      'limit=5%20',
      'limit=+5',
      'limit=Infinity',
      'limit=NaN',
      'limit=1,2',
      'limit=%D9%A5',
    ],
    ...['limit=1&limit=2', 'limit=1&limit=1', 'limit=%00', 'limit', 'limit=1;limit=2'],
    ...['status=', 'status=OPEN', 'status=snoozed', 'status=open&status=closed', 'status=open,closed', 'status=%00'],
    ...['channel_type=', 'channel_type=fax', 'channel_type=chatapp&channel_type=sms'],
    ...[
      'q=%00',
      'q=a%00b',
      'q=a&q=b',
      'tag=%00',
      'tag=a&tag=b',
      'assignee_id=%00',
      'assignee_id=none&assignee_id=none',
    ],
    ...['stage_id=%00', 'stage_id=a&stage_id=b', 'contact_id=%00', 'contact_id=a&contact_id=b'],
    ...['cursor=', 'cursor=x', 'cursor=%00', 'cursor=a&cursor=b', `cursor=${'A'.repeat(10_000)}`],
  ];
  const usable = [
    ...['limit=1', 'limit=007', 'limit=1000000000', 'limit=99999999999999999999999999'],
    ...['stage_id=', 'contact_id=', 'assignee_id=', 'tag=', 'q=', 'stage_id=x', 'contact_id=ct_x', 'assignee_id=usr_x'],
    ...[
      'q=%ED%A0%80',
      'q=%zz',
      'q=%',
      'q=%F0%9F%98%80',
      'q=\\',
      "q='",
      `q=${'%25'.repeat(512)}`,
      `q=${'_'.repeat(512)}`,
    ],
    ...[
      'unknown=1',
      '__proto__=1',
      '__proto__[q]=1',
      'constructor=1',
      'q[]=1',
      '&&&',
      '=',
      '?',
      'q=a;b',
      'channel_type=sms',
    ],
  ];

  it('with a value that is missing or unusable is refused with its name: 422', async () => {
    for (const query of unusable) {
      const { errors: details } = assertRefused(await workspace.api.get(`/conversations?${query}`), 422, query);
      assert.equal(details?.[0]?.pointer, `/${/^\w+/.exec(query)}`, query);
    }
  });

  it('with any other value is answered', async () => {
    for (const query of usable) {
      const { status, text } = await workspace.api.get(`/conversations?${query}`);
      assert.equal(status, 200, `${query} ${text}`);
    }
  });

  it('with a cursor is good for its own list and filters, in every process, and for nothing else: 422', async () => {
    const { api, key } = workspace;
    const other = await majlis.another();
    const stranger = await majlis.workspace();
    const lists = ['/conversations?', '/conversations?status=open&', `/conversations/${conversation_id}/messages?`];
    const cursors = await Promise.all(lists.map(async (list) => (await api.get(list)).body.next_cursor as string));
    for (const [index, cursor] of cursors.entries()) {
      for (const [place, list] of lists.entries()) {
        const answer = await api.get(`${list}cursor=${cursor}`);
        if (index !== place) assertRefused(answer, 422, list);
        else assert.deepEqual((await createApi(other.url, key).get(`${list}cursor=${cursor}`)).body, answer.body);
      }
      const name = index < 2 ? 'conversations?status=open&' : `conversations/${conversation_id}/messages?`;
      assertRefused(await stranger.api.get(`/${name}cursor=${cursor}`), index < 2 ? 422 : 404);
    }
    assert.equal((await api.get(`/conversations?limit=1&cursor=${cursors[0]}`)).status, 200);
    await other.stop();
  });

  it('with a cursor that was altered is refused: 422', async () => {
    const cursor: string = (await workspace.api.get('/conversations')).body.next_cursor;
    const altered = [...cursor].map(
      (letter, i) => cursor.slice(0, i) + (letter === 'A' ? 'B' : 'A') + cursor.slice(i + 1),
    );
    for (const text of [
      ...altered,
      cursor.slice(0, -1),
      cursor.slice(0, -4),
      `${cursor}A`,
      `${cursor}=`,
      `%20${cursor}`,
    ]) {
      assertRefused(await workspace.api.get(`/conversations?cursor=${text}`), 422, text);
    }
  });
});
