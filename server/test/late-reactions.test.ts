import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';

// The last reaction of a person to a message is the one that counts, in whatever order the platform tells of them.
const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const business = '96880000001';
const begin = Math.floor(Date.now() / 1000) - 100;

async function post(workspace: TestWorkspace, value: Record<string, unknown>, field?: string): Promise<void> {
  await postNotification(majlis, workspace, value, field);
  await untilNotificationsProcessed(majlis);
}

async function setScene() {
  const workspace = await majlis.workspace();
  const [digits, wamid] = [newDigits(), `wamid.${randomUUID()}`];
  await post(workspace, { messages: [platformText(digits, 'First', { id: wamid, timestamp: String(begin) })] });
  const react = (from: string, emoji: string, seconds: number) => ({
    ...platformText(from, '', { timestamp: String(begin + seconds), text: undefined, type: 'reaction' }),
    reaction: { message_id: wamid, emoji },
  });
  const conversation = async () => (await workspace.api.get('/conversations')).body.data[0];
  const reactions = async (direction: string) => {
    const { data } = (await workspace.api.get(`/conversations/${(await conversation()).id}/messages`)).body;
    assert.ok(data.every(({ kind, reply_to_id }: AnyJson) => kind === 'text' || reply_to_id === data[0].id));
    const of = data.filter((one: AnyJson) => one.kind === 'reaction' && one.direction === direction);
    return of.map(({ body }: AnyJson) => body ?? '');
  };
  return { workspace, digits, react, conversation, reactions };
}

for (const how of ['apart', 'together']) {
  it(`a reaction that comes after its removal stays removed, and counts as nothing unread, ${how}`, async () => {
    const { workspace, digits, react, conversation, reactions } = await setScene();
    const told = [react(digits, '', 30), react(digits, '❤️', 20), react(digits, '👍', 10)];
    if (how === 'together') await post(workspace, { messages: told });
    else for (const one of told) await post(workspace, { messages: [one] });
    assert.deepEqual(await reactions('inbound'), ['👍', '❤️', '']);
    assert.equal((await conversation()).unread_count, 1);
  });

  it(`a reaction from the phone app that comes after a later one stands in front of it, ${how}`, async () => {
    const { workspace, digits, react, reactions } = await setScene();
    const echoes = [react(business, '❤️', 20), react(business, '👍', 10)].map((one) => ({ ...one, to: digits }));
    await post(workspace, { messages: [react(digits, '😀', 15)] });
    if (how === 'together') await post(workspace, { message_echoes: echoes }, 'smb_message_echoes');
    else for (const one of echoes) await post(workspace, { message_echoes: [one] }, 'smb_message_echoes');
    assert.deepEqual(await reactions('outbound'), ['👍', '❤️']);
    assert.deepEqual(await reactions('inbound'), ['😀']);
  });
}

it('a reaction after a removal, and one of the same second, stand last', async () => {
  const { workspace, digits, react, conversation, reactions } = await setScene();
  for (const one of [react(digits, '', 10), react(digits, '👍', 10), react(digits, '❤️', 20)]) {
    await post(workspace, { messages: [one] });
  }
  assert.deepEqual(await reactions('inbound'), ['', '👍', '❤️']);
  assert.equal((await conversation()).unread_count, 3);
});
