import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { joinWorkspace } from '@majlis/testing/people';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';

// A report may name a person by a user id that they have left. User ids are never handed on, so it still names them.
const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const begin = Math.floor(Date.now() / 1000) - 1_000;
const newUserId = () => `OM.${newDigits()}77`;

async function post(workspace: TestWorkspace, ...messages: object[]): Promise<void> {
  await postNotification(majlis, workspace, { messages });
  await untilNotificationsProcessed(majlis);
}

const write = (from: string | undefined, from_user_id: string | undefined, seconds: number) =>
  platformText('', 'Hi', { from, from_user_id, timestamp: String(begin + seconds) });
const change = (system: object, seconds: number) => {
  return { id: `wamid.${randomUUID()}`, timestamp: String(begin + seconds), type: 'system', system };
};

async function people({ api }: TestWorkspace) {
  const { data } = (await api.get('/conversations')).body;
  return data.map((one: AnyJson) => [one.contact_handle, one.unread_count]);
}

it('a change that names a former user id alone is followed', async () => {
  for (const has_user_id of [true, false]) {
    const workspace = await majlis.workspace();
    const admin = await joinWorkspace(majlis, workspace, { role: 'admin' });
    const [former, now, number] = [newUserId(), newUserId(), newDigits()];
    await post(workspace, write(undefined, former, 0));
    await post(workspace, change({ type: 'user_changed_user_id', previous_user_id: former, user_id: now }, 10));
    const moved = { type: 'user_changed_number', wa_id: number, ...(has_user_id && { user_id: now }) };
    await post(workspace, change({ ...moved, previous_user_id: former }, 20));
    await post(workspace, write(number, now, 30));
    await post(workspace, write(number, undefined, 31));
    assert.deepEqual(await people(workspace), [[`+${number}`, 3]]);
    assert.deepEqual((await admin.at('GET', '/platform-notices')).body.data, []);
  }
});

it('a second change that names the first user id is followed to the third one', async () => {
  const workspace = await majlis.workspace();
  const [first, second, third] = [newUserId(), newUserId(), newUserId()];
  const move = (user_id: string, seconds: number) =>
    change({ type: 'user_changed_user_id', previous_user_id: first, user_id }, seconds);
  await post(workspace, write(undefined, first, 0));
  await post(workspace, move(second, 10));
  await post(workspace, move(third, 20));
  await post(workspace, move(second, 10));
  for (const user_id of [first, second, third]) await post(workspace, write(undefined, user_id, 30));
  assert.deepEqual(await people(workspace), [[third, 4]]);
});

it('a change to a number under which the person wrote since, by a later user id, is followed by the user ids', async () => {
  const workspace = await majlis.workspace();
  const admin = await joinWorkspace(majlis, workspace, { role: 'admin' });
  const [first, second, third] = [newUserId(), newUserId(), newUserId()];
  const [before, after] = [newDigits(), newDigits()];
  await post(workspace, write(before, first, 0));
  const renamed = change({ type: 'user_changed_user_id', previous_user_id: second, user_id: third }, 20);
  await post(workspace, { ...renamed, from: after });
  await post(workspace, write(after, third, 30));
  const moved = { type: 'user_changed_number', wa_id: after, user_id: second, previous_user_id: first };
  await post(workspace, { ...change(moved, 10), from: before });
  // A contact keeps its conversations when it is joined.
  const { data } = (await workspace.api.get('/conversations')).body;
  assert.equal(new Set(data.map((one: AnyJson) => one.contact_id)).size, 1);
  assert.deepEqual((await admin.at('GET', '/platform-notices')).body.data, []);
  // Nobody has the former number any more.
  await post(workspace, write(before, undefined, 40));
  assert.equal((await workspace.api.get('/contacts')).body.data.length, 2);
});

it('a report of a new user id tells the number beside the former one', async () => {
  const workspace = await majlis.workspace();
  const [former, now, number] = [newUserId(), newUserId(), newDigits()];
  await post(workspace, write(undefined, former, 0));
  const renamed = change({ type: 'user_changed_user_id', previous_user_id: former, user_id: now }, 10);
  await post(workspace, { ...renamed, from: number });
  await post(workspace, write(number, undefined, 20));
  assert.deepEqual(await people(workspace), [[now, 2]]);
  const { data } = (await workspace.api.get(`/contacts?q=${number}`)).body;
  assert.equal(data.length, 1);
});

it('a repeated report by a former user id moves nobody back', async () => {
  const workspace = await majlis.workspace();
  const [former, now, one, two] = [newUserId(), newUserId(), newDigits(), newDigits()];
  const moved = { type: 'user_changed_number', wa_id: one, user_id: now, previous_user_id: former };
  const report = change(moved, 20);
  await post(workspace, write(undefined, former, 0));
  await post(workspace, change({ type: 'user_changed_user_id', previous_user_id: former, user_id: now }, 10));
  await post(workspace, report);
  await post(workspace, { ...change({ type: 'user_changed_number', wa_id: two, user_id: now }, 30), from: one });
  await post(workspace, report);
  assert.deepEqual(await people(workspace), [[`+${two}`, 1]]);
});

it('a change of a number that names a former user id takes the number from whom it was handed on by', async () => {
  const workspace = await majlis.workspace();
  const [former, now, stranger, number] = [newUserId(), newUserId(), newUserId(), newDigits()];
  await post(workspace, write(number, stranger, 0));
  await post(workspace, write(undefined, former, 1));
  await post(workspace, change({ type: 'user_changed_user_id', previous_user_id: former, user_id: now }, 10));
  const moved = { type: 'user_changed_number', wa_id: number, user_id: now, previous_user_id: former };
  await post(workspace, change(moved, 20));
  await post(workspace, write(number, now, 30));
  assert.deepEqual(
    new Map(await people(workspace)),
    new Map<string, number>([
      [`+${number}`, 2],
      [stranger, 1],
    ]),
  );
});

it('a number that a known person had before somebody else still names them in what they wrote by it', async () => {
  const workspace = await majlis.workspace();
  const [earlier, later, number] = [newUserId(), newUserId(), newDigits()];
  await post(workspace, write(undefined, earlier, 0));
  await post(workspace, write(number, later, 20));
  await post(workspace, write(number, earlier, 10));
  await post(workspace, write(number, undefined, 5));
  await post(workspace, write(number, undefined, 30));
  assert.deepEqual(
    new Map(await people(workspace)),
    new Map<string, number>([
      [earlier, 3],
      [`+${number}`, 2],
    ]),
  );
});
