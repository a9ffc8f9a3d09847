import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { joinWorkspace } from '@majlis/testing/people';
import { searchDatabase } from '@majlis/testing/search-database';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';

// The platform tells messages and changes of numbers and user ids in any order. None of them splits a person.
const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const begin = Math.floor(Date.now() / 1000) - 1_000;

interface Named {
  newId: () => string;
  message: (id: string) => object;
  change: (from: string, to: string) => object;
  handle: (id: string) => string;
}

const kinds: Record<string, Named> = {
  'a number': {
    newId: newDigits,
    message: (from) => ({ from }),
    change: (from, wa_id) => ({ from, system: { type: 'user_changed_number', wa_id } }),
    handle: (id) => `+${id}`,
  },
  'a user id': {
    newId: () => `OM.${newDigits()}77`,
    message: (from_user_id) => ({ from: undefined, from_user_id }),
    change: (previous_user_id, user_id) => ({ system: { type: 'user_changed_user_id', previous_user_id, user_id } }),
    handle: (id) => id,
  },
};

async function post(workspace: TestWorkspace, ...messages: object[]): Promise<void> {
  await postNotification(majlis, workspace, { messages });
  await untilNotificationsProcessed(majlis);
}

for (const [what, { newId, message, change, handle }] of Object.entries(kinds)) {
  const write = (id: string, seconds: number) =>
    platformText('', 'Hi', { ...message(id), timestamp: String(begin + seconds) });
  const move = (from: string, to: string, seconds: number) => {
    const head = { id: `wamid.${randomUUID()}`, timestamp: String(begin + seconds), type: 'system' };
    return { ...head, ...change(from, to) };
  };
  const handles = async ({ api }: TestWorkspace): Promise<string[]> => {
    const { data } = (await api.get('/conversations')).body;
    return data.map((one: AnyJson) => one.contact_handle).toSorted();
  };

  for (const how of ['apart', 'together']) {
    it(`${what} that changes three times is followed in reversed order, ${how}`, async () => {
      const workspace = await majlis.workspace();
      const admin = await joinWorkspace(majlis, workspace, { role: 'admin' });
      const [a, b, c, d] = [newId(), newId(), newId(), newId()] as const;
      await post(workspace, write(a, 0));
      const changes = [move(c, d, 30), move(b, c, 20), move(a, b, 10)];
      if (how === 'together') await post(workspace, ...changes);
      else for (const one of changes) await post(workspace, one);
      await post(workspace, write(d, 40));
      assert.deepEqual(await handles(workspace), [handle(d)]);
      assert.deepEqual((await admin.at('GET', '/platform-notices')).body.data, []);
    });
  }

  for (const how of ['apart', 'together']) {
    it(`${what} that changes before the first message is told is followed, ${how}`, async () => {
      const workspace = await majlis.workspace();
      const admin = await joinWorkspace(majlis, workspace, { role: 'admin' });
      const [a, b, c] = [newId(), newId(), newId()] as const;
      const told = [move(b, c, 20), move(a, b, 10), write(a, 0), write(c, 30)];
      if (how === 'together') await post(workspace, ...told);
      else for (const one of told) await post(workspace, one);
      assert.deepEqual(await handles(workspace), [handle(c)]);
      assert.deepEqual((await admin.at('GET', '/platform-notices')).body.data, []);
    });
  }

  it(`${what} that a kept change calls former stays with who writes by it after the change`, async () => {
    const workspace = await majlis.workspace();
    const [a, b] = [newId(), newId()] as const;
    await post(workspace, move(a, b, 10));
    await post(workspace, write(a, 20), write(a, 5));
    await post(workspace, write(a, 6));
    await post(workspace, write(b, 30));
    assert.deepEqual(await handles(workspace), [handle(a), handle(b)].toSorted());
  });

  it(`${what} of an earlier owner joins nobody, and its change is kept for administrators`, async () => {
    const workspace = await majlis.workspace();
    const admin = await joinWorkspace(majlis, workspace, { role: 'admin' });
    const [a, b, c] = [newId(), newId(), newId()] as const;
    await post(workspace, write(a, 0));
    await post(workspace, move(b, c, 5));
    await post(workspace, move(a, b, 10));
    await post(workspace, write(c, 20));
    assert.deepEqual(await handles(workspace), [handle(b), handle(c)].toSorted());
    const reasons = (await admin.at('GET', '/platform-notices')).body.data.map((one: AnyJson) => one.reason);
    assert.deepEqual(reasons, ['identity change of an unknown person']);
  });

  it(`a kept change of ${what} goes with its person, whichever of its names they have or had`, async () => {
    const workspace = await majlis.workspace();
    const admin = await joinWorkspace(majlis, workspace, { role: 'admin' });
    const erase = async (id: string) => {
      const { data } = (await workspace.api.get('/conversations')).body;
      const { contact_id } = data.find((one: AnyJson) => one.contact_handle === handle(id));
      assert.equal((await workspace.api.request('DELETE', `/contacts/${contact_id}`)).status, 204);
    };
    const [a, b, c] = [newId(), newId(), newId()] as const;
    await post(workspace, move(a, b, 10));
    await post(workspace, write(b, 20));
    await erase(b);
    await post(workspace, write(b, 20));
    await post(workspace, move(a, b, 10));
    await post(workspace, move(b, c, 30));
    await erase(c);
    assert.deepEqual((await admin.at('GET', '/platform-notices')).body.data, []);
    assert.deepEqual(await searchDatabase(majlis, [a, b, c]), []);
  });

  it(`a late message by ${what} that was left since is of who had it then, and a later one is a stranger's`, async () => {
    const workspace = await majlis.workspace();
    const [a, b] = [newId(), newId()] as const;
    await post(workspace, write(a, 0));
    await post(workspace, move(a, b, 10));
    await post(workspace, write(a, 5));
    await post(workspace, write(b, 15));
    assert.deepEqual(await handles(workspace), [handle(b)]);
    // Numbers are handed on, and user ids are not.
    if (!handle(a).startsWith('+')) return;
    await post(workspace, write(a, 20));
    await post(workspace, write(a, 6));
    assert.deepEqual(await handles(workspace), [handle(a), handle(b)].toSorted());
    const { data } = (await workspace.api.get('/conversations')).body;
    const counts = data.map((one: AnyJson) => [one.contact_handle, one.unread_count]);
    assert.deepEqual(
      new Map(counts),
      new Map([
        [handle(a), 1],
        [handle(b), 4],
      ]),
    );
  });
}

// A number and a user id together, as most messages name a person.
const both = (from: string, from_user_id: string, seconds: number) =>
  platformText(from, 'Hi', { from_user_id, timestamp: String(begin + seconds) });
const { newId: newNumber, ...numbers } = kinds['a number']!;
const { newId: newUserId } = kinds['a user id']!;
const moveNumber = (from: string, to: string, seconds: number) => {
  const head = { id: `wamid.${randomUUID()}`, timestamp: String(begin + seconds), type: 'system' };
  return { ...head, ...numbers.change(from, to) };
};

it('a late message by a number that one person has left and the user id of another is of the user id', async () => {
  const workspace = await majlis.workspace();
  const [a, b] = [newNumber(), newNumber()];
  const [left, late, other] = [newUserId(), newUserId(), newUserId()];
  const unread = async () => {
    const { data } = (await workspace.api.get('/conversations')).body;
    return Object.fromEntries(data.map((one: AnyJson) => [one.contact_handle, one.unread_count]));
  };
  await post(workspace, both(a, left, 0));
  await post(workspace, moveNumber(a, b, 10));
  await post(workspace, { ...both('', late, 12), from: undefined });
  await post(workspace, both(a, late, 5));
  await post(workspace, both(a, left, 6));
  assert.deepEqual(await unread(), { [`+${b}`]: 2, [late]: 2 });
  // Also where a third person has the number by now.
  await post(workspace, both(a, other, 20));
  await post(workspace, both(a, late, 7));
  await post(workspace, both(a, other, 8));
  await post(workspace, both(a, left, 9));
  assert.deepEqual(await unread(), { [`+${a}`]: 2, [`+${b}`]: 3, [late]: 3 });
});

it('a late message by a number that was left and a user id that was left is of who had the user id', async () => {
  const workspace = await majlis.workspace();
  const [a, b] = [newNumber(), newNumber()];
  const [left, former, now] = [newUserId(), newUserId(), newUserId()];
  await post(workspace, both(a, left, 0));
  await post(workspace, moveNumber(a, b, 10));
  await post(workspace, { ...both('', former, 12), from: undefined });
  const head = { id: `wamid.${randomUUID()}`, timestamp: String(begin + 15), type: 'system' };
  await post(workspace, { ...head, ...kinds['a user id']!.change(former, now) });
  await post(workspace, both(a, former, 5));
  const { data } = (await workspace.api.get('/conversations')).body;
  const counts = data.map((one: AnyJson) => [one.contact_handle, one.unread_count]);
  assert.deepEqual(Object.fromEntries(counts), { [`+${b}`]: 1, [now]: 2 });
});

it('a change that is told before the first message joins who wrote by the new names before that message came', async () => {
  const workspace = await majlis.workspace();
  const admin = await joinWorkspace(majlis, workspace, { role: 'admin' });
  const [a, b] = [newNumber(), newNumber()];
  const [before, after, stranger] = [newUserId(), newUserId(), newUserId()];
  const head = { from: a, id: `wamid.${randomUUID()}`, timestamp: String(begin + 10), type: 'system' };
  const system = { type: 'user_changed_number', wa_id: b, previous_user_id: before, user_id: after };
  await post(workspace, { ...head, system });
  await post(workspace, both(b, after, 20));
  await post(workspace, both(a, before, 5));
  await post(workspace, both(a, stranger, 30));
  const { data } = (await workspace.api.get('/conversations')).body;
  // A contact keeps its conversations when it is joined.
  const handle_of = new Map(data.map((one: AnyJson) => [one.contact_id, one.contact_handle]));
  assert.deepEqual([...handle_of.values()].toSorted(), [`+${a}`, `+${b}`].toSorted());
  assert.equal(data.length, 3);
  assert.deepEqual((await admin.at('GET', '/platform-notices')).body.data, []);
});
