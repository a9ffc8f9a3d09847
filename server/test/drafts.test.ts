import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { newDigits } from '@majlis/testing/messages';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { searchDatabase } from '@majlis/testing/search-database';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { untilWaiting } from '@majlis/testing/until-waiting';
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
const save = (member: Member, conversation_id: string, body: string, version?: string, kind = 'reply') =>
  member.at('PUT', `/conversations/${conversation_id}/drafts/${kind}`, { body, version });
const drafts = async (member: Member, conversation_id: string) =>
  (await member.at('GET', `/conversations/${conversation_id}/drafts`)).body.data.map(
    ({ kind, body }: { kind: string; body: string }) => `${kind}: ${body}`,
  );

describe('a draft', () => {
  it('of a reply and one of a note are kept apart, and reach nobody else', async () => {
    const { conversation_id } = await receive();
    const saved = await save(aisha, conversation_id, 'Dear Muna');
    assert.equal(saved.status, 200, JSON.stringify(saved.body));
    assert.deepEqual([saved.body.conversation_id, saved.body.kind], [conversation_id, 'reply']);
    await save(aisha, conversation_id, 'She is angry', undefined, 'note');
    assert.deepEqual(await drafts(aisha, conversation_id), ['note: She is angry', 'reply: Dear Muna']);
    assert.deepEqual(await drafts(badr, conversation_id), []);
    assert.deepEqual((await badr.at('GET', '/drafts')).body.data, []);
    const messages = (await workspace.api.get(`/conversations/${conversation_id}/messages`)).body.data;
    assert.equal(messages.length, 1);
  });

  it('is not overwritten by a tab that has an older one', async () => {
    const { conversation_id } = await receive();
    const first = (await save(aisha, conversation_id, 'one')).body;
    const second = (await save(aisha, conversation_id, 'two', first.version)).body;
    assert.notEqual(second.version, first.version);
    for (const version of [first.version, undefined, 'nonsense']) {
      const stale = await save(aisha, conversation_id, 'of an old tab', version);
      assert.deepEqual([stale.status, stale.body.code], [409, 'draft_outdated']);
    }
    assert.deepEqual(await drafts(aisha, conversation_id), ['reply: two']);
    // The answer of this save was lost, and the browser repeats it.
    const repeated = await save(aisha, conversation_id, 'two', first.version);
    assert.deepEqual([repeated.status, repeated.body.version], [200, second.version]);
  });

  it('goes with the acceptance of its send, whose key it keeps until then', async () => {
    const { conversation_id } = await receive();
    const path = `/conversations/${conversation_id}`;
    const kept = async (kind: string) => {
      const { data } = (await aisha.at('GET', `${path}/drafts`)).body;
      return data.find((draft: { kind: string }) => draft.kind === kind)?.send?.key;
    };
    const pin = (kind: string, key: string) =>
      aisha.at('PUT', `${path}/drafts/${kind}`, { body: 'On its way', send: { key, kind: 'text' } });
    const post = (member: Member, kind: string, key: string, body = 'On its way') =>
      member.request(
        'POST',
        `/workspaces/${workspace.id}${path}/${kind === 'note' ? 'notes' : 'messages'}`,
        kind === 'note' ? { body } : { kind: 'text', body },
        { 'idempotency-key': key },
      );
    for (const kind of ['reply', 'note']) {
      assert.equal((await pin(kind, `${kind}-key`)).body.send.key, `${kind}-key`);
      // Another send, a refused one, and the same key of somebody else leave it.
      assert.equal((await post(aisha, kind, 'another')).status, 201);
      assert.equal((await post(aisha, kind, `${kind}-key`, '')).status, 422);
      assert.equal((await post(badr, kind, `${kind}-key`)).status, 201);
      assert.equal(await kept(kind), `${kind}-key`);
      const sent = await post(aisha, kind, `${kind}-key`);
      assert.equal(sent.status, 201);
      assert.equal(await kept(kind), undefined);
      const again = await post(aisha, kind, `${kind}-key`);
      assert.equal(again.body.id, sent.body.id);
    }
  });

  it('forgets the send once its text is changed or given back', async () => {
    const { conversation_id } = await receive();
    const at = (body: object) => aisha.at('PUT', `/conversations/${conversation_id}/drafts/reply`, body);
    const pinned = (await at({ body: 'One', send: { key: 'k', kind: 'text', media_id: 'med_x' } })).body;
    assert.deepEqual(pinned.send, { key: 'k', kind: 'text', media_id: 'med_x' });
    const given = (await at({ body: 'One', version: pinned.version })).body;
    assert.deepEqual([given.send, given.version === pinned.version], [undefined, false]);
  });

  it('stays with the later of two saves at once', async () => {
    const { conversation_id } = await receive();
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((body) => save(aisha, conversation_id, body)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409]);
  });

  for (const second of ['save', 'end'] as const) {
    it(`that two tabs hold at one moment goes to the first of them, where the other one is to ${second} it`, async () => {
      const { conversation_id } = await receive();
      const { version } = (await save(aisha, conversation_id, 'one')).body;
      const path = `/conversations/${conversation_id}/drafts/reply`;
      const row = `select from drafts where conversation_id = '${parseId('conversation', conversation_id)}' for update`;
      const tabs = await whileHeld(majlis, row, async () => {
        const first = save(aisha, conversation_id, 'of the first tab', version);
        await untilWaiting(majlis, 1, 'from "drafts"');
        const other =
          second === 'save'
            ? save(aisha, conversation_id, 'of the other tab', version)
            : aisha.at('DELETE', `${path}?version=${version}`);
        await untilWaiting(majlis, 2, 'from "drafts"');
        return { answers: Promise.all([first, other]) };
      });
      assert.deepEqual(
        (await tabs.answers).map(({ status }) => status),
        [200, 409],
      );
      assert.deepEqual(await drafts(aisha, conversation_id), ['reply: of the first tab']);
    });
  }

  it('ends with its send, unless another tab changed it; the old tab does not bring it back', async () => {
    const { conversation_id } = await receive();
    const first = (await save(aisha, conversation_id, 'one')).body;
    const second = (await save(aisha, conversation_id, 'two', first.version)).body;
    const end = (version: string) =>
      aisha.at('DELETE', `/conversations/${conversation_id}/drafts/reply?version=${version}`);
    assert.equal((await end(first.version)).body.code, 'draft_outdated');
    assert.equal((await end(second.version)).status, 204);
    assert.equal((await end(second.version)).status, 204);
    const stale = await save(aisha, conversation_id, 'two and more', second.version);
    assert.deepEqual([stale.status, stale.body.code], [409, 'draft_outdated']);
    assert.deepEqual(await drafts(aisha, conversation_id), []);
  });

  it('is listed with the others of the person, page by page, the latest first', async () => {
    const cara = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const conversations = [await receive(), await receive(), await receive()];
    for (const { conversation_id } of conversations) await save(cara, conversation_id, `in ${conversation_id}`);
    const first = (await cara.at('GET', '/drafts?limit=2')).body;
    const second = (await cara.at('GET', `/drafts?limit=2&cursor=${first.next_cursor}`)).body;
    assert.deepEqual(
      [...first.data, ...second.data].map(({ conversation_id }) => conversation_id),
      conversations.map(({ conversation_id }) => conversation_id).reverse(),
    );
    const foreign = await aisha.at('GET', `/drafts?limit=2&cursor=${first.next_cursor}`);
    assert.equal(foreign.status, 422);
  });

  it('may be as long as a note, in any script, and no longer; an empty one is refused', async () => {
    const { conversation_id } = await receive();
    assert.equal((await save(aisha, conversation_id, 'ن'.repeat(32_768))).status, 200);
    const long = await save(badr, conversation_id, 'ن'.repeat(32_769));
    assert.deepEqual([long.status, long.body.errors[0].pointer], [422, '/body']);
    const empty = await save(badr, conversation_id, ' \n');
    assert.deepEqual([empty.status, empty.body.errors[0].pointer], [422, '/body']);
    assert.equal((await save(badr, conversation_id, 'x', undefined, 'poem')).status, 404);
  });

  it('is refused beyond 500 of a person', async () => {
    const cara = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const { conversation_id } = await receive();
    await save(cara, conversation_id, 'first');
    // Kinds that nobody has fill the rows, so that no 500 conversations are needed.
    await majlis.sql(
      `insert into drafts select workspace_id, user_id, conversation_id, 'kind' || n, body, version, updated_at
       from drafts, generate_series(1, 499) n where body = 'first'`,
    );
    const other = await receive();
    const { status, body } = await save(cara, other.conversation_id, 'one more');
    assert.deepEqual([status, body.code], [409, 'limit_reached']);
    // Room for one, and two come at one moment.
    await majlis.sql(`delete from drafts where kind = 'kind1'`);
    const conversations = [await receive(), other];
    const person = `select from users where id = '${parseId('user', cara.user_id)}' for no key update`;
    const saves = await whileHeld(majlis, person, async () => {
      const answers = conversations.map((one) => save(cara, one.conversation_id, 'at once'));
      await untilWaiting(majlis, 2, 'from users');
      return { answers: Promise.all(answers) };
    });
    assert.deepEqual((await saves.answers).map((answer) => answer.status).sort(), [200, 409]);
  });

  it('is erased with its contact, and moves when contacts are merged', async () => {
    const [kept, gone] = [await receive(), await receive()];
    await save(aisha, kept.conversation_id, 'to the kept draftcanary');
    await save(aisha, gone.conversation_id, 'to the gone draftcanary');
    const merge = { source_contact_id: gone.contact_id };
    assert.equal((await badr.at('POST', `/contacts/${kept.contact_id}/merge`, merge)).status, 200);
    assert.deepEqual(await drafts(aisha, gone.conversation_id), ['reply: to the gone draftcanary']);
    assert.equal((await badr.at('DELETE', `/contacts/${kept.contact_id}`)).status, 204);
    assert.deepEqual(await searchDatabase(majlis, ['draftcanary']), []);
    assert.equal((await save(aisha, kept.conversation_id, 'again')).status, 404);
  });
});
