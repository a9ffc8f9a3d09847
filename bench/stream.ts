import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type OpenStream, openStream } from '@majlis/testing/open-stream';
import { requestOperator } from '@majlis/testing/operator';
import { joinWorkspace } from '@majlis/testing/people';
import { publicId } from '../server/src/database/ids.ts';
import type { BenchEnvironment } from './environment.ts';
import { assertAll, load } from './load.ts';
import { openLoad } from './open-load.ts';
import { print } from './print.ts';
import { sendRequest } from './sending.ts';
import type { BenchTenant } from './tenants.ts';

const streams = 1_000;
const streamsPerPerson = 20;
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
  const without = await list();
  await pause(2_000);
  const before = residentMb(service.pid);
  const open: OpenStream[] = [];
  for (let n = 0; n < streams; n++) open.push(await openStream({ url }, people[n % people.length]!));
  await pause(2_000);
  print(`memory of ${streams} idle streams`, `${(residentMb(service.pid) - before).toFixed(0)} MB`);
  const held = await list();
  const ratio = (held.p99_ms / without.p99_ms).toFixed(2);
  print('a list, p99 without and with them', `${without.p99_ms.toFixed(1)} and ${held.p99_ms.toFixed(1)} ms: ${ratio}`);
  for (const stream of open) stream.cut();
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

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}
