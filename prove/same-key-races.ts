import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createApi } from '@majlis/testing/api';
import { within } from '@majlis/testing/cleanup';
import { eventually } from '@majlis/testing/eventually';
import { createFaultEnvironment } from '@majlis/testing/faults/fault-environment';
import { createFaultWorkspace } from '@majlis/testing/faults/fault-workspace';
import { untilSettled } from '@majlis/testing/faults/until-settled';
import type { ProofRun } from './section.ts';

const callsPerKey = 20;
const keysAtOnce = 10;
/** Equal concurrent calls with one key, by two processes: one effect, and identical answers. */
export async function proveSameKeyRaces({ seed, count, log }: ProofRun): Promise<string[]> {
  const environment = await createFaultEnvironment({ seed });
  const processes = [await environment.majlis(), await environment.majlis()];
  for (const one of processes) await one.start();
  const { key: api_key } = await createFaultWorkspace(environment, processes[0]!.url);
  const apis = processes.map(({ url }) => createApi(url, api_key));
  const faults: string[] = [];
  const ids = new Set<string>();

  async function race(n: number): Promise<void> {
    const idempotency_key = randomUUID();
    const body = {
      to: `+9687${1_000_000 + n}`,
      kind: 'template',
      template: { name: 'order_ready', language: 'en' },
    };
    const call = async (_: unknown, place: number) => {
      const asked = apis[place % 2]!.post('/messages', body, { 'idempotency-key': idempotency_key });
      const { status, text } = await within(asked, 60_000, `the answer to call ${place} with key ${n}`);
      return `${status} ${text}`;
    };
    const answers = new Set(await Promise.all(Array.from({ length: callsPerKey }, call)));
    const [first = ''] = answers;
    if (answers.size !== 1 || !first.startsWith('201 '))
      faults.push(`key ${n} was answered ${[...answers].join(' | ')}`);
    else ids.add(JSON.parse(first.slice(4)).id);
  }

  for (let n = 0; n < count; n += keysAtOnce) {
    const some = Array.from({ length: Math.min(keysAtOnce, count - n) }, (_, place) => race(n + place));
    await Promise.all(some);
    await pause(0);
  }
  await eventually(
    () => environment.simulator.ledger().length,
    (length) => length >= ids.size,
    60_000,
  );
  await untilSettled(environment, processes[0]!.url);
  const ledger = environment.simulator.ledger().map((entry) => entry.biz_opaque_callback_data!);
  const [stored] = await environment.sql<{ count: number }>(
    `select count(*)::int from messages where direction = 'outbound'`,
  );
  log(`${count} keys × ${callsPerKey} calls: ${ids.size} effects, ${stored!.count} stored, ${ledger.length} sent`);
  if (stored!.count !== count || ids.size !== count) faults.push(`${stored!.count} messages are stored`);
  if (ledger.length !== count || new Set(ledger).size !== count) faults.push(`the platform was given ${ledger.length}`);
  return faults;
}
