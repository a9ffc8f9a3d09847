import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Api, createApi } from '@majlis/testing/api';
import { eventually } from '@majlis/testing/eventually';
import { createPeople, type PersonWithData } from '@majlis/testing/faults/create-people';
import { createFaultEnvironment, type FaultEnvironment } from '@majlis/testing/faults/fault-environment';
import { type FaultWorkspace, startFaultService } from '@majlis/testing/faults/fault-workspace';
import type { RestartableService } from '@majlis/testing/faults/restartable-service';
import { untilSettled } from '@majlis/testing/faults/until-settled';
import { addLongHistory, lockOldestMessage } from '@majlis/testing/long-history';
import { downloadFile } from '@majlis/testing/media';
import { type FoundRow, searchDatabase } from '@majlis/testing/search-database';
import { whileHeld } from '@majlis/testing/while-held';
import { parseId } from '../../src/database/ids.ts';

const kills = Number(process.env.KILL_ROUNDS ?? 3);
/** As many as are under way at once. */
const perKill = 10;
const bystanders = 5;

it('kill -9 in an erasure leaves all of a contact or nothing, and nothing once it was answered', async (t) => {
  const environment = await createFaultEnvironment();
  t.diagnostic(`seed ${environment.random.seed}`);
  const { majlis, workspace } = await startFaultService(
    environment,
    {
      // The workspace's key may only send.
      ENFORCE_SCOPES: 'off',
    },
    { customers: kills * perKill + bystanders },
  );
  const api = createApi(majlis.url, workspace.key);
  // A broadcast has one of those who are erased together: they would wait for each other's place in what is stored of it.
  const people: Leaving[] = await createPeople(environment, majlis.url, workspace, perKill);
  const staying = people.slice(-bystanders);
  const before = await allRows(environment);
  const tables = new Set(rowsOf(before, people[0]!).map(({ table }) => table));
  assert.deepEqual(
    named.filter((table) => !tables.has(table)),
    [],
  );

  for (let n = 0; n < kills; n++) {
    await eraseAndDie(environment, majlis, api, people.slice(n * perKill, (n + 1) * perKill), staying);
  }
  await untilSettled(environment, majlis.url);

  const [there, gone] = await part(api, people);
  for (const { erasure, canary } of there) assert.notEqual(erasure, 'answered', `${canary} is still there`);
  for (const person of staying) assert.ok(there.includes(person), `${person.canary} was not to be erased`);
  await assertGone(environment, gone);
  await assertWhole(environment, majlis, workspace, there, before);
  const cut = people.filter(({ erasure }) => erasure === 'cut off');
  const answered = people.length - staying.length - cut.length;
  const cut_and_gone = cut.filter((person) => gone.includes(person)).length;
  t.diagnostic(JSON.stringify({ kills, answered, cut: cut.length, cut_and_gone }));
  assert.ok(answered > 0 && cut.length > 0, 'some were answered, and some were cut off');

  for (const person of cut) assert.equal((await erase(api, person)).status, gone.includes(person) ? 404 : 204);
  await untilSettled(environment, majlis.url);
  await assertGone(environment, cut);
  await assertWhole(environment, majlis, workspace, staying, before);
});

it('kill -9 in the erasure of a long history leaves a contact that nobody sees, and the next process deletes the rest', async () => {
  const environment = await createFaultEnvironment();
  const { majlis, workspace } = await startFaultService(environment, { ENFORCE_SCOPES: 'off' }, { customers: 1 });
  const api = createApi(majlis.url, workspace.key);
  const [person] = await createPeople(environment, majlis.url, workspace, 1);
  const conversation_id = parseId('conversation', person!.conversation_id)!;
  await addLongHistory(environment, conversation_id, person!.canary);
  const read = () => api.get(`/contacts/${person!.contact_id}`);
  await whileHeld(environment, lockOldestMessage(conversation_id), async () => {
    const erasing = erase(api, person!).catch(() => undefined);
    await eventually(read, ({ status }) => status === 404);
    await majlis.kill();
    assert.equal(await erasing, undefined);
    assert.ok(rowsOf(await allRows(environment), person!).length > 0, 'the rest is still there');
  });

  await majlis.start();
  assert.equal((await read()).status, 404);
  await untilSettled(environment, majlis.url);
  await assertGone(environment, [person!]);
});

/** Where each of them stands, before anything is erased. */
const named = [
  ...['contacts', 'contact_identities', 'contact_search', 'tag_changes', 'conversations', 'conversation_closings'],
  ...['messages', 'media', 'events', 'idempotency_keys', 'broadcast_recipients', 'workflow_runs'],
];

interface Leaving extends PersonWithData {
  erasure?: 'answered' | 'cut off';
}

const erase = (api: Api, { contact_id }: PersonWithData) => api.request('DELETE', `/contacts/${contact_id}`);

/** Erases some at once, while they and those who stay are written to; kills the service amid it, and starts it again. */
async function eraseAndDie(
  environment: FaultEnvironment,
  majlis: RestartableService,
  api: Api,
  leaving: readonly Leaving[],
  staying: readonly PersonWithData[],
): Promise<void> {
  const { random } = environment;
  const enough = Promise.withResolvers<void>();
  let left = random.between(1, leaving.length / 2);
  async function leave(person: Leaving, wait_ms: number): Promise<void> {
    const sends = [send(api, person), send(api, person)];
    await pause(wait_ms);
    const reply = await erase(api, person).catch(() => undefined);
    if (reply) assert.equal(reply.status, 204, reply.text);
    person.erasure = reply ? 'answered' : 'cut off';
    if (--left === 0) enough.resolve();
    await Promise.all(sends);
  }
  // At least this erasure is cut off: on a busy machine all others may be answered before the kill.
  const last = parseId('contact', leaving.at(-1)!.contact_id)!;
  const all = await whileHeld(environment, `select from contacts where id = '${last}' for update`, async () => {
    const all = [
      ...leaving.map((person) => leave(person, random.between(0, 30))),
      ...staying.map((one) => send(api, one)),
    ];
    await Promise.race([enough.promise, Promise.all(all)]);
    await pause(random.next() * 10);
    await majlis.kill();
    return all;
  });
  await Promise.all(all);
  await majlis.start();
}

/** To who is gone, or by a service that is dead, nothing is sent. */
async function send(api: Api, { contact_id, canary, message_ids }: PersonWithData): Promise<void> {
  const body = { contact_id, kind: 'text', body: `${canary} ${randomUUID()}` };
  const reply = await api.post('/messages', body, { 'idempotency-key': randomUUID() }).catch(() => undefined);
  if (reply?.status === 201) message_ids.push(reply.body.id);
}

/** Those whom the service knows, and those whom it does not. */
async function part(api: Api, people: readonly Leaving[]): Promise<[there: Leaving[], gone: Leaving[]]> {
  const parts: [Leaving[], Leaving[]] = [[], []];
  for (const person of people) {
    const { status, text } = await api.get(`/contacts/${person.contact_id}`);
    assert.ok(status === 200 || status === 404, text);
    parts[status === 200 ? 0 : 1].push(person);
  }
  return parts;
}

/** No row of any table and no file can name them. */
async function assertGone(environment: FaultEnvironment, gone: readonly PersonWithData[]): Promise<void> {
  const rows = await allRows(environment);
  for (const person of gone) {
    // Receivers are told by its id which contact is gone, and so is whoever reads the one receipt.
    const namesNobody = (row: string) =>
      ![person.canary, person.digits, person.conversation_id].some((text) => row.includes(text));
    const isReceipt = ({ table, row }: FoundRow) => table === 'erasure_receipts' && namesNobody(row);
    const isTold = ({ table, row }: FoundRow) =>
      table === 'events' && row.includes(',contact.erased,') && namesNobody(row);
    const found = rowsOf(rows, person);
    assert.deepEqual(
      found.filter((row) => !isTold(row) && !isReceipt(row)),
      [],
      person.canary,
    );
    assert.equal(found.filter(isReceipt).length, 1, `receipts of ${person.canary}`);
  }
  const entries = await readdir(path.join(environment.data_dir, 'media'), { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((one) => one.isFile())) {
    const bytes = await readFile(path.join(entry.parentPath, entry.name));
    for (const { canary } of gone) assert.ok(!bytes.includes(canary), `${canary} in ${entry.name}`);
  }
}

/** They have all that they had before, and every message of theirs that was accepted since. */
async function assertWhole(
  environment: FaultEnvironment,
  majlis: RestartableService,
  workspace: FaultWorkspace,
  there: readonly PersonWithData[],
  before: readonly FoundRow[],
): Promise<void> {
  const api = createApi(majlis.url, workspace.key);
  const after = await allRows(environment);
  for (const person of there) {
    const counts = Map.groupBy(rowsOf(after, person), ({ table }) => table);
    for (const [table, rows] of Map.groupBy(rowsOf(before, person), (row) => row.table)) {
      assert.ok((counts.get(table)?.length ?? 0) >= rows.length, `${person.canary} lost rows of ${table}`);
    }
    const { data } = (await api.get(`/conversations/${person.conversation_id}/messages?limit=100`)).body;
    const lost = new Set(person.message_ids).difference(new Set(data.map(({ id }: { id: string }) => id)));
    assert.deepEqual([...lost], [], person.canary);
    if (!person.media_id) continue;
    const { bytes } = await downloadFile(majlis, workspace, person.media_id);
    assert.ok(bytes.includes(person.canary), `${person.canary} lost a file`);
  }
}

const allRows = (environment: FaultEnvironment) => searchDatabase(environment, ['']);

/** Changes for live streams keep ids for 15 minutes, also of what is erased. */
function rowsOf(
  found: readonly FoundRow[],
  { canary, digits, contact_id, conversation_id }: PersonWithData,
): FoundRow[] {
  const ids = [contact_id, parseId('contact', contact_id)!, conversation_id, parseId('conversation', conversation_id)!];
  const textsOf = (table: string) => (table === 'live_changes' ? [canary, digits] : [canary, digits, ...ids]);
  return found.filter(({ table, row }) => textsOf(table).some((text) => row.includes(text)));
}
