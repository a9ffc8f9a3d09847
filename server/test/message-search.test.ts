import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { FoundMessage } from '@majlis/console-api';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { messageReceiver, receiveMessage } from '@majlis/testing/receive-message';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { untilIndexed } from '@majlis/testing/until-indexed';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
let workspace: TestWorkspace;
let owner: Member;
before(async () => {
  workspace = await majlis.workspace();
  owner = await joinWorkspace(majlis, workspace, { name: 'Aisha' });
});

const search = async (query: Record<string, string>, person = owner) => {
  const { status, body } = await person.at('GET', `/message-search?${new URLSearchParams(query)}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body as { data: FoundMessage[]; next_cursor?: string; has_more: boolean };
};
const found = async (query: Record<string, string>, person = owner) =>
  (await search(query, person)).data.map(({ snippet }) => snippet);
const receive = (digits: string, text: string) => messageReceiver(majlis, workspace)(digits, 'text', text);

/** Moves the clock, so that the messages so far are old enough for the index, and waits for the job. */
async function index(): Promise<void> {
  await majlis.advance(120);
  await untilIndexed(majlis);
}

/** The same before and after the job has indexed the messages. */
function always(title: string, prepare: () => Promise<() => Promise<void>>): void {
  it(title, async () => {
    const check = await prepare();
    await check();
    await index();
    const [{ count } = { count: 0 }] = await majlis.sql<{ count: number }>(
      'select count(*)::int as count from message_search',
    );
    assert.ok(count > 0);
    await check();
  });
}

describe('the search of messages', () => {
  always('finds a word in any spelling, with its place', async () => {
    const { conversation_id, message_id } = await receiveMessage(majlis, workspace, newDigits());
    const digits = newDigits();
    const { id } = await receive(digits, 'بكم الشَّقة في صلالة؟');
    return async () => {
      const { data } = await search({ q: 'شقه صلال' });
      assert.deepEqual(
        data.map((one) => one.message_id),
        [id],
      );
      const [{ snippet, matches, direction, kind, contact_handle, created_at }] = data as [FoundMessage];
      assert.deepEqual([snippet, direction, kind], ['بكم الشَّقة في صلالة؟', 'inbound', 'text']);
      assert.deepEqual(
        matches.map(({ start, end }) => snippet.slice(start, end)),
        ['الشَّقة', 'صلالة'],
      );
      assert.equal(contact_handle, `+${digits}`);
      assert.ok(Date.parse(created_at));
      const hello = (await search({ q: 'HELL' })).data;
      assert.ok(hello.some((one) => one.message_id === message_id && one.conversation_id === conversation_id));
      assert.deepEqual(await found({ q: 'قة' }), []);
    };
  });

  always('lists the newest first, page by page, each once', async () => {
    const digits = newDigits();
    const texts = Array.from({ length: 5 }, (_, n) => `paging ${n}`);
    for (const text of texts) await receive(digits, text);
    return async () => {
      const seen: string[] = [];
      for (let cursor: string | undefined; ; ) {
        const page = await search({ q: 'paging', limit: '2', ...(cursor && { cursor }) });
        seen.push(...page.data.map(({ snippet }) => snippet));
        cursor = page.next_cursor;
        assert.equal(page.has_more, cursor !== undefined);
        if (!cursor) break;
      }
      assert.deepEqual(seen, texts.toReversed());
    };
  });

  always('tells notes, the customer and the business apart, and knows a period', async () => {
    const { conversation_id } = await receive(newDigits(), 'garden?');
    const path = `/conversations/${conversation_id}`;
    await owner.at('POST', `${path}/notes`, { body: 'garden: ask Omar' });
    await owner.at('POST', `${path}/messages`, { kind: 'text', body: 'garden, yes' });
    const { data } = await search({ q: 'garden' });
    const middle = data[1]!.created_at;
    return async () => {
      assert.deepEqual(await found({ q: 'garden' }), ['garden, yes', 'garden: ask Omar', 'garden?']);
      assert.deepEqual(await found({ q: 'garden', written_by: 'contact' }), ['garden?']);
      assert.deepEqual(await found({ q: 'garden', written_by: 'business' }), ['garden, yes']);
      assert.deepEqual(await found({ q: 'garden', written_by: 'note' }), ['garden: ask Omar']);
      assert.deepEqual((await search({ q: 'garden', written_by: 'note' })).data[0]!.kind, 'note');
      const within = (query: object) => found({ q: 'garden', ...query });
      assert.deepEqual(await within({ since: middle }), ['garden, yes', 'garden: ask Omar']);
      assert.deepEqual(await within({ until: middle }), ['garden?']);
      // No id is from before 1970.
      const long_ago = '0001-01-01T00:00:00+14:00';
      assert.deepEqual(await within({ since: long_ago }), ['garden, yes', 'garden: ask Omar', 'garden?']);
      assert.deepEqual(await within({ until: long_ago }), []);
    };
  });

  always('shows an agent who is limited to own conversations nothing else', async () => {
    const limited = await joinWorkspace(majlis, workspace, { role: 'agent' });
    await owner.at('PATCH', `/members/${limited.user_id}`, { own_teams_only: true });
    const hidden = await receive(newDigits(), 'confidential one');
    const shown = await receive(newDigits(), 'confidential two');
    const assign = (conversation_id: string, assignee_id: string | null) =>
      owner.at('POST', `/conversations/${conversation_id}/assign`, { assignee_id });
    await assign(hidden.conversation_id, null);
    await assign(shown.conversation_id, limited.user_id);
    return async () => {
      assert.deepEqual(await found({ q: 'confidential' }, limited), ['confidential two']);
      assert.deepEqual(await found({ q: 'confidential' }), ['confidential two', 'confidential one']);
    };
  });

  always('finds nothing of an erased contact or of another workspace', async () => {
    const other = await joinWorkspace(majlis, await majlis.workspace());
    const { actor_id } = await receive(newDigits(), 'ephemeral');
    let isErased = false;
    return async () => {
      if (!isErased) assert.deepEqual(await found({ q: 'ephemeral' }), ['ephemeral']);
      assert.deepEqual(await found({ q: 'ephemeral' }, other), []);
      const [{ count } = { count: 0 }] = await majlis.sql<{ count: number }>(
        `select count(*)::int as count from message_search where segment_terms::text like '%ephemeral%'`,
      );
      if (count === 0) return;
      isErased = true;
      assert.equal((await workspace.api.request('DELETE', `/contacts/${actor_id}`)).status, 204);
      assert.deepEqual(await found({ q: 'ephemeral' }), []);
      assert.deepEqual(await majlis.sql(`select from message_search where segment_terms::text like '%ephemeral%'`), []);
    };
  });

  always('finds the name of a file', async () => {
    const { id } = await receive(newDigits(), 'see the file');
    await majlis.sql(`update messages set filename = 'Villa.pdf' where body = 'see the file'`);
    return async () => {
      const { data } = await search({ q: 'villa pdf' });
      assert.deepEqual(
        data.map(({ message_id, snippet }) => [message_id, snippet]),
        [[id, 'Villa.pdf']],
      );
    };
  });

  it('finds nothing by signs alone, and refuses what it cannot read', async () => {
    assert.deepEqual(await search({ q: ' ؟! 👍' }), { data: [], has_more: false });
    assert.deepEqual(await search({ q: `'; drop table messages --` }), { data: [], has_more: false });
    for (const query of [
      {},
      { q: 'x'.repeat(201) },
      { q: 'x', cursor: 'x' },
      { q: 'x', limit: '0' },
      { q: 'x', written_by: 'me' },
      { q: 'x', since: 'yesterday' },
    ]) {
      const { status, body } = await owner.at('GET', `/message-search?${new URLSearchParams(query as never)}`);
      assert.deepEqual([status, body.code], [422, 'unprocessable_content'], JSON.stringify(query));
    }
    const first = await search({ q: 'paging', limit: '2' });
    const { status } = await owner.at('GET', `/message-search?q=other&cursor=${first.next_cursor}`);
    assert.equal(status, 422);
  });
});

it('lets the process serve others while it finds the places of the words in a page of long texts', async () => {
  // The sign of 18 letters and four words.
  const text = '\ufdfa'.repeat(4_096);
  const digits = newDigits();
  await Promise.all(Array.from({ length: 40 }, () => receive(digits, text)));
  await index();
  /** The longest turn of the process, as a part of the whole time of the search. */
  const longestPart = async () => {
    const start = performance.now();
    let [last, longest, goes_on] = [start, 0, true];
    const tick = () => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
      if (goes_on) setImmediate(tick);
    };
    tick();
    const { data } = await search({ q: 'صلى', limit: '40' });
    goes_on = false;
    assert.equal(data.length, 40);
    return longest / (performance.now() - start);
  };
  // A busy machine may stop the process in one of the searches.
  await eventually(longestPart, (part) => part < 1 / 3);
});
