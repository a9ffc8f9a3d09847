import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { joinWorkspace } from '@majlis/testing/people';
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
