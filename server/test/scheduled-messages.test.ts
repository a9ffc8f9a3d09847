import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { AnyJson } from '@majlis/testing/json';
import { samples, uploadFile } from '@majlis/testing/media';
import { newDigits } from '@majlis/testing/messages';
import { openStream } from '@majlis/testing/open-stream';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { momentIn, schedule, scheduledPath, sentTexts } from '@majlis/testing/schedule-messages';
import { searchDatabase } from '@majlis/testing/search-database';
import { startTestService, type TestWorkspace, templateMessage } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off', SCHEDULED_MESSAGES_MAX: '60' } });
let workspace: TestWorkspace;
let aisha: Member;
let badr: Member;
before(async () => {
  workspace = await majlis.workspace();
  aisha = await joinWorkspace(majlis, workspace, { role: 'agent' });
  badr = await joinWorkspace(majlis, workspace, { role: 'admin' });
});

const receive = () => receiveMessage(majlis, workspace, newDigits());
const listed = async (member: Member, conversation_id: string) =>
  (await member.at('GET', scheduledPath(conversation_id))).body.data as AnyJson[];
const act = (member: Member, { conversation_id, id }: AnyJson, action: string, version: number) =>
  member.at('POST', scheduledPath(conversation_id, id, action), { version });
const change = (member: Member, { conversation_id, id }: AnyJson, body: object) =>
  member.at('PATCH', scheduledPath(conversation_id, id), body);
const codeOf = ({ status, body }: { status: number; body: AnyJson }) => [status, body?.code];

describe('a scheduled message', () => {
  it('is seen by colleagues, told to them at once, and sent to nobody', async () => {
    const { conversation_id } = await receive();
    const stream = await openStream(majlis, badr);
    const made = await schedule(majlis, aisha, conversation_id);
    assert.deepEqual([made.state, made.version, made.user_id], ['scheduled', 1, aisha.user_id]);
    assert.deepEqual([made.preview, made.content], ['See you', { kind: 'text', body: 'See you' }]);
    const told = await stream.until(({ kind }) => kind === 'scheduled_message');
    assert.deepEqual([told.conversation_id, told.scheduled_message_id], [conversation_id, made.id]);
    assert.deepEqual(await listed(badr, conversation_id), [made]);
    const opening = await badr.at('GET', `/conversations/${conversation_id}/opening`);
    assert.deepEqual(opening.body.scheduled, [made]);
    assert.deepEqual(await sentTexts(badr, conversation_id), []);
  });

  it('has all that a message of a person has', async () => {
    const { conversation_id, message_id } = await receive();
    const media_id = (await uploadFile(majlis, workspace, samples.png, { filename: 'a.png' })).body.id;
    const picture = { kind: 'image', media_id, body: 'Look', reply_to_id: message_id };
    const made = await schedule(majlis, aisha, conversation_id, { content: picture });
    assert.deepEqual([made.content, made.preview], [picture, 'Look']);
    assert.deepEqual(made.file, { mime: 'image/png', filename: 'a.png' });
    const template = await schedule(majlis, aisha, conversation_id, { content: templateMessage });
    assert.equal(template.preview, 'Hello Muna, your order A-1042 has left.');
    const location = { kind: 'location', location: { latitude: 23.6, longitude: 58.5 } };
    await schedule(majlis, aisha, conversation_id, { content: location });
    const choices = { type: 'buttons', buttons: [{ id: 'a', title: 'Yes' }] };
    const asking = { kind: 'interactive', body: 'Well?', interactive: choices };
    await schedule(majlis, aisha, conversation_id, { content: asking });
    assert.equal((await listed(aisha, conversation_id)).length, 4);
  });

  it('is made once, however often the request comes', async () => {
    const { conversation_id } = await receive();
    const body = { content: { kind: 'text', body: 'Once' }, send_at: await momentIn(majlis, 60) };
    const path = `/workspaces/${workspace.id}${scheduledPath(conversation_id)}`;
    const post = (key: string, more = {}) =>
      aisha.request('POST', path, { ...body, ...more }, { 'idempotency-key': key });
    const answers = await Promise.all([post('one'), post('one'), post('one')]);
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.id]),
      answers.map(() => [201, answers[0]!.body.id]),
    );
    assert.equal((await listed(aisha, conversation_id)).length, 1);
    assert.deepEqual(codeOf(await post('one', { content: { kind: 'text', body: 'Two' } })), [
      409,
      'idempotency_conflict',
    ]);
    assert.equal((await post('two')).status, 201);
    assert.equal((await listed(aisha, conversation_id)).length, 2);
  });

  it('is refused where its time or its content is no good', async () => {
    const { conversation_id } = await receive();
    const other = await receive();
    const send_at = await momentIn(majlis, 60);
    const text = { kind: 'text', body: 'Hello' };
    const refused = async (body: object) => {
      const answer = await aisha.at('POST', scheduledPath(conversation_id), body);
      return [answer.status, answer.body.code, answer.body.errors?.[0]?.pointer];
    };
    const unprocessable = (pointer: string) => [422, 'unprocessable_content', pointer];
    const at = (seconds: number) => momentIn(majlis, seconds);
    assert.deepEqual(await refused({ content: text, send_at: await at(-1) }), unprocessable('/send_at'));
    assert.deepEqual(await refused({ content: text, send_at: await at(91 * 86_400) }), unprocessable('/send_at'));
    assert.deepEqual(await refused({ content: text, send_at: 'soon' }), unprocessable('/send_at'));
    assert.deepEqual(await refused({ content: text }), unprocessable('/send_at'));
    assert.deepEqual(await refused({ content: { kind: 'text' }, send_at }), unprocessable('/content/body'));
    const quoting = { ...text, reply_to_id: other.message_id };
    assert.deepEqual(await refused({ content: quoting, send_at }), unprocessable('/content/reply_to_id'));
    const file = { kind: 'image', media_id: 'med_01jxxxxxxxxxxxxxxxxxxxxxxx' };
    assert.deepEqual(await refused({ content: file, send_at }), [422, 'media_not_found', undefined]);
    const template = { kind: 'template', template: { name: 'none', language: 'en' } };
    assert.equal((await refused({ content: template, send_at }))[1], 'template_not_found');
    assert.deepEqual(await listed(aisha, conversation_id), []);
  });

  it('is changed by a colleague, who is its author from then on; a time alone changes no author', async () => {
    const { conversation_id } = await receive();
    const made = await schedule(majlis, aisha, conversation_id);
    const send_at = await momentIn(majlis, 7_200);
    const moved = await change(badr, made, { version: 1, send_at });
    assert.deepEqual([moved.status, moved.body.send_at, moved.body.version], [200, send_at, 2]);
    assert.equal(moved.body.user_id, aisha.user_id);
    const written = await change(badr, made, { version: 2, content: { kind: 'text', body: 'Better' } });
    assert.deepEqual([written.body.preview, written.body.user_id], ['Better', badr.user_id]);
    assert.deepEqual([written.body.send_at, written.body.version], [send_at, 3]);
  });

  it('is not overwritten, cancelled or sent by one who saw an older version', async () => {
    const { conversation_id } = await receive();
    const made = await schedule(majlis, aisha, conversation_id);
    const changes = await Promise.all(
      [aisha, badr].map((member) =>
        change(member, made, { version: 1, content: { kind: 'text', body: `of ${member.user_id}` } }),
      ),
    );
    assert.deepEqual(changes.map(({ status }) => status).sort(), [200, 409]);
    assert.equal(changes.find(({ status }) => status === 409)!.body.code, 'changed_meanwhile');
    for (const action of ['cancel', 'send']) {
      assert.deepEqual(codeOf(await act(aisha, made, action, 1)), [409, 'changed_meanwhile']);
    }
    const [left] = await listed(aisha, conversation_id);
    assert.deepEqual([left!.version, left!.state], [2, 'scheduled']);
  });

  it('is cancelled, and taken up again', async () => {
    const { conversation_id } = await receive();
    const made = await schedule(majlis, aisha, conversation_id);
    const cancelled = await act(badr, made, 'cancel', 1);
    assert.deepEqual([cancelled.status, cancelled.body.state, cancelled.body.version], [200, 'cancelled', 2]);
    assert.deepEqual((await act(badr, made, 'cancel', 1)).body, cancelled.body);
    assert.deepEqual(await listed(aisha, conversation_id), []);
    assert.deepEqual(codeOf(await act(aisha, made, 'send', 2)), [409, 'changed_meanwhile']);
    const moved = await change(aisha, made, { version: 2, send_at: made.send_at });
    assert.deepEqual(codeOf(moved), [409, 'changed_meanwhile']);
    assert.deepEqual(codeOf(await act(badr, made, 'restore', 1)), [409, 'changed_meanwhile']);
    const again = await act(badr, made, 'restore', 2);
    assert.deepEqual([again.body.state, again.body.send_at], ['scheduled', made.send_at]);
    assert.equal(again.body.user_id, aisha.user_id);
    assert.deepEqual(codeOf(await act(badr, made, 'restore', 3)), [409, 'changed_meanwhile']);
    assert.equal((await listed(aisha, conversation_id)).length, 1);
  });

  it('is sent now in the name of the person who does so, once', async () => {
    const { conversation_id } = await receive();
    const made = await schedule(majlis, aisha, conversation_id);
    const answers = await Promise.all([
      act(badr, made, 'send', 1),
      act(badr, made, 'send', 1),
      act(badr, made, 'send', 1),
    ]);
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.state, body.message_id]),
      answers.map(() => [200, 'sent', answers[0]!.body.message_id]),
    );
    const { body } = await badr.at('GET', `/messages/${answers[0]!.body.message_id}`);
    assert.deepEqual([body.body, body.actor_id], ['See you', badr.user_id]);
    assert.deepEqual(await sentTexts(badr, conversation_id), ['See you']);
    assert.deepEqual(codeOf(await act(badr, made, 'cancel', 2)), [409, 'already_sent']);
    assert.deepEqual(codeOf(await change(badr, made, { version: 2, send_at: made.send_at })), [409, 'already_sent']);
  });

  it('stays where the gate refuses to send it now', async () => {
    const { conversation_id } = await receive();
    const made = await schedule(majlis, aisha, conversation_id);
    await badr.at('POST', `/conversations/${conversation_id}/close`, {});
    assert.deepEqual(codeOf(await act(aisha, made, 'send', 1)), [409, 'conversation_closed']);
    assert.deepEqual(await listed(aisha, conversation_id), [made]);
  });

  it('is one of 50 in a conversation, and counts against the quota of the workspace', async () => {
    const own = await majlis.workspace();
    const member = await joinWorkspace(majlis, own);
    const first = await receiveMessage(majlis, own, newDigits());
    const second = await receiveMessage(majlis, own, newDigits());
    for (let n = 0; n < 50; n++) await schedule(majlis, member, first.conversation_id);
    const body = { content: { kind: 'text', body: 'More' }, send_at: await momentIn(majlis, 60) };
    assert.deepEqual(codeOf(await member.at('POST', scheduledPath(first.conversation_id), body)), [
      409,
      'limit_reached',
    ]);
    for (let n = 0; n < 10; n++) await schedule(majlis, member, second.conversation_id);
    const beyond = await member.at('POST', scheduledPath(second.conversation_id), body);
    assert.deepEqual(codeOf(beyond), [409, 'limit_reached']);
    assert.match(beyond.body.detail, /60 scheduled messages/);
  });

  it('is unknown to other workspaces and under other conversations', async () => {
    const { conversation_id } = await receive();
    const other = await receive();
    const made = await schedule(majlis, aisha, conversation_id);
    const stranger = await joinWorkspace(majlis, await majlis.workspace());
    for (const [member, named] of [
      [stranger, made],
      [aisha, { ...made, conversation_id: other.conversation_id }],
      [aisha, { ...made, id: made.id.replace(/.{4}$/, '0000') }],
    ] as const) {
      const read = await member.at('GET', scheduledPath(named.conversation_id, named.id));
      assert.deepEqual(codeOf(read), [404, 'not_found']);
      assert.equal((await change(member, named, { version: 1, send_at: made.send_at })).status, 404);
      for (const action of ['cancel', 'send']) assert.equal((await act(member, named, action, 1)).status, 404);
    }
    assert.deepEqual(await listed(aisha, conversation_id), [made]);
  });

  it('is in the audit with who did what, and without its text', async () => {
    const { conversation_id } = await receive();
    const made = await schedule(majlis, aisha, conversation_id);
    await change(badr, made, { version: 1, send_at: await momentIn(majlis, 60) });
    await act(aisha, made, 'cancel', 2);
    const acts = (await badr.at('GET', '/audit?limit=3')).body.data as AnyJson[];
    assert.deepEqual(
      acts.map(({ action, actor }) => [action, actor.user_id]),
      [
        ['cancelScheduledMessage', aisha.user_id],
        ['changeScheduledMessage', badr.user_id],
        ['scheduleMessage', aisha.user_id],
      ],
    );
    assert.ok(acts.every(({ targets }) => targets.scheduled_message_id === made.id));
    assert.ok(!JSON.stringify(acts).includes('See you'));
  });

  it('is erased with its contact, with its file and its stored answers', async () => {
    const { conversation_id, contact_id } = await receive();
    const secret = 'Secret-of-the-erased-one';
    const media_id = (await uploadFile(majlis, workspace, samples.png, { filename: 'Secret-of-the-erased-one.png' }))
      .body.id;
    const body = { content: { kind: 'image', media_id, body: secret }, send_at: await momentIn(majlis, 60) };
    const path = `/workspaces/${workspace.id}${scheduledPath(conversation_id)}`;
    await aisha.request('POST', path, body, { 'idempotency-key': 'erased' });
    const preview = await badr.at('GET', `/contacts/${contact_id}/erasure-preview`);
    assert.equal(preview.body.scheduled_messages, 1);
    assert.equal((await workspace.api.request('DELETE', `/contacts/${contact_id}`)).status, 204);
    assert.deepEqual(await searchDatabase(majlis, [secret]), []);
    assert.equal((await aisha.at('GET', scheduledPath(conversation_id))).status, 404);
  });

  it('follows its conversation to the contact that a merge leaves', async () => {
    const [one, two] = [await receive(), await receive()];
    const made = await schedule(majlis, aisha, two.conversation_id);
    const merged = await badr.at('POST', `/contacts/${one.contact_id}/merge`, { source_contact_id: two.contact_id });
    assert.equal(merged.status, 200, JSON.stringify(merged.body));
    assert.deepEqual(await listed(aisha, two.conversation_id), [made]);
    await workspace.api.request('DELETE', `/contacts/${one.contact_id}`);
    assert.equal((await aisha.at('GET', scheduledPath(two.conversation_id))).status, 404);
  });
});
