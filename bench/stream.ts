import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type OpenStream, openStream } from '@majlis/testing/open-stream';
import { requestOperator } from '@majlis/testing/operator';
import { joinWorkspace } from '@majlis/testing/people';
import { publicId } from '../server/src/database/ids.ts';
import { median } from './console/figures.ts';
import type { BenchEnvironment } from './environment.ts';
import { assertAll, load } from './load.ts';
import { openLoad } from './open-load.ts';
import { print } from './print.ts';
import { sendRequest } from './sending.ts';
import type { BenchTenant } from './tenants.ts';

const streams = 1_000;
const streamsPerPerson = 20;
/** In turns, so that a moment in which the machine was busy counts for neither. */
const rounds = 3;
const lists = { connections: 16, per_second: 100 };

/** 1,000 idle streams: their memory, and a list with and without them. Then what the recording of changes costs a send. */
export async function measureStreams(environment: BenchEnvironment, tenants: BenchTenant[]): Promise<void> {
  const service = await environment.start('api', { CONNECTIONS_PER_ADDRESS: '5000' });
  const { url } = service;
  const { workspace_id, key } = tenants[0]!;
  const list = async () => {
    const path = () => '/v1/conversations';
    return openLoad({ url, ...lists, seconds: environment.seconds, headers: { authorization: `Bearer ${key}` }, path });
  };
  const workspace = { id: publicId('workspace', workspace_id), applied: { workspace: { name: 'Bench 0' } } };
  const operator = (method: string, path: string, body?: unknown) => requestOperator(url, method, path, body);
  const people = [];
  for (let n = 0; n < streams / streamsPerPerson; n++) {
    people.push(await joinWorkspace({ url, operator }, workspace, { role: 'agent' }));
  }
  await list();
  const p99s: { without: number[]; held: number[] } = { without: [], held: [] };
  for (let round = 0; round < rounds; round++) {
    p99s.without.push((await list()).p99_ms);
    await pause(2_000);
    const before = residentMb(service.pid);
    const open: OpenStream[] = [];
    // A stream begins with the reader's next turn: one after the other they would take minutes.
    for (let n = 0; n < streamsPerPerson; n++) {
      open.push(...(await Promise.all(people.map((person) => openStream({ url }, person)))));
    }
    await pause(2_000);
    // Later rounds use memory that the first one has left.
    if (round === 0) print(`memory of ${streams} idle streams`, `${(residentMb(service.pid) - before).toFixed(0)} MB`);
    p99s.held.push((await list()).p99_ms);
    for (const stream of open) stream.cut();
    await pause(2_000);
  }
  const [without, held] = [median(p99s.without), median(p99s.held)];
  const all = `${written(p99s.without)} and ${written(p99s.held)} ms: ${(held / without).toFixed(2)} by their medians`;
  print('a list, p99 without and with them', all);
  await measureRecording(environment, tenants, url);
  await service.stop();
}

/** Sends in turns with the triggers and without. */
async function measureRecording({ db, seconds }: BenchEnvironment, tenants: BenchTenant[], url: string): Promise<void> {
  const rates: Record<string, number[]> = { enable: [], disable: [] };
  for (const state of ['disable', 'enable', 'disable', 'enable']) {
    for (const table of ['messages', 'conversations', 'contacts', 'contact_identities']) {
      const { rows } = await db.query(
        `select tgname from pg_trigger where tgrelid = $1::regclass and tgname like 'publish%'`,
        [table],
      );
      for (const { tgname } of rows) await db.query(`alter table ${table} ${state} trigger ${tgname}`);
    }
    const result = await load({ url, connections: 64, seconds, next: (n) => sendRequest(tenants, n) });
    assertAll(result, 201);
    rates[state]!.push(result.per_second);
  }
  const [recorded, unrecorded] = [rates.enable!, rates.disable!].map(
    (all) => all.reduce((sum, one) => sum + one) / all.length,
  );
  const figures = `${recorded!.toFixed(0)} of ${unrecorded!.toFixed(0)}/s: ${(recorded! / unrecorded!).toFixed(2)}`;
  print('accepted sends with recorded changes', figures);
}

const written = (all: readonly number[]) => all.map((one) => one.toFixed(1)).join(', ');

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}
