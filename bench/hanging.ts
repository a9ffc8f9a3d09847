import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { BenchEnvironment } from './environment.ts';
import { firstPort, type RecordEvents, receivers, register, withRecorder } from './events.ts';
import { print, ratio } from './print.ts';
import type { BenchTenant } from './tenants.ts';

const hangingEndpoints = 1_000;
const spread = 30;
const everyMs = 100;
const ownHost = '127.0.0.2';

// Turns with and without alternate: what else the machine does falls on both.
const turns = 3;
const arriveMs = 15_000;

/** How long the webhooks of one workspace take, without and with 1,000 endpoints of others that hang (hazard H44). */
export async function measureHanging(environment: BenchEnvironment, tenants: BenchTenant[]): Promise<void> {
  const receiver = fork('bench/receivers.ts', [String(firstPort), String(receivers)]);
  await once(receiver, 'message');
  const [healthy, ...others] = tenants as [BenchTenant, ...BenchTenant[]];
  const { db } = environment;
  try {
    await withRecorder(environment, async (record) => {
      const api = await environment.start('api');
      await register(api.url, healthy, firstPort, '/events', ['*'], ownHost);
      await api.stop();
      for (const [what, owners, host] of [
        ['1,000 that hang of one workspace', others.slice(0, 1), '127.0.0.1'],
        ['the same, at the same host', others.slice(0, 1), ownHost],
        [`1,000 that hang of ${spread} workspaces`, others.slice(0, spread), '127.0.0.1'],
      ] as const) {
        const again = await environment.start('api');
        for (let n = 0; n < hangingEndpoints; n++) {
          const port = firstPort + (n % receivers);
          await register(again.url, owners[n % owners.length]!, port, '/hang', ['*'], host);
        }
        await again.stop();
        await db.query('vacuum analyze webhook_endpoints');
        const figures = { alone: [] as number[], beside: [] as number[] };
        for (let turn = 0; turn < turns; turn++) {
          await enableHanging(environment, false);
          figures.alone.push(await measureP50(environment, record, { healthy, hanging: [] }));
          await enableHanging(environment, true);
          figures.beside.push(await measureP50(environment, record, { healthy, hanging: owners }));
        }
        const [alone, beside] = [median(figures.alone), median(figures.beside)];
        const all = `${figures.alone.map(toMs).join(', ')} without, ${figures.beside.map(toMs).join(', ')} with`;
        print(`p50 beside ${what}`, `${toMs(alone)}, then ${toMs(beside)} ms: ${ratio(beside, alone)} (${all})`);
        await db.query(`update webhook_endpoints set deleted_at = now(), enabled = false where url like '%/hang'`);
      }
    });
  } finally {
    receiver.kill();
    await db.query('truncate events, webhook_attempts, jobs');
    await db.query(`update webhook_endpoints set deleted_at = now(), enabled = false`);
  }
}

/** Those that are not deleted. The next turn begins without a backlog. */
async function enableHanging({ db }: BenchEnvironment, enabled: boolean): Promise<void> {
  await db.query('truncate events, webhook_attempts, jobs');
  await db.query(`update webhook_endpoints set enabled = $1 where url like '%/hang' and deleted_at is null`, [enabled]);
}

function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)]!;
}

function toMs(figure: number): string {
  return figure.toFixed(1);
}

interface Neighbours {
  healthy: BenchTenant;
  hanging: readonly BenchTenant[];
}

/** The median time from an event to its first attempt, in ms, while the others have an event a second. */
async function measureP50(
  { db, seconds, start }: BenchEnvironment,
  record: RecordEvents,
  { healthy, hanging }: Neighbours,
): Promise<number> {
  // The default bound of one host, which the other sections lift.
  const service = await start('worker', { WEBHOOK_HOST_RATE: '500' });
  // The backlog comes first: all places that hanging calls may have are taken.
  for (const { workspace_id } of hanging) await record(workspace_id, 5);
  await setTimeout(3_000);
  const {
    rows: [{ now }],
  } = await db.query('select clock_timestamp() as now');
  const end = performance.now() + seconds * 1000;
  for (let n = 0; performance.now() < end; n++) {
    if (n % (1_000 / everyMs) === 0) for (const { workspace_id } of hanging) await record(workspace_id, 1);
    await record(healthy.workspace_id, 1);
    await setTimeout(everyMs);
  }
  await setTimeout(arriveMs);
  await service.stop();
  const { rows } = await db.query(
    `select percentile_cont(0.5) within group (order by extract(epoch from a.delivered_at - e.created_at) * 1000) as p50,
       count(*) filter (where a.response_status is distinct from 200) as missing
     from webhook_attempts a join events e on e.workspace_id = a.workspace_id and e.id = a.event_id
     join webhook_endpoints w on w.workspace_id = a.workspace_id and w.id = a.endpoint_id and w.url like '%/events'
     where e.created_at >= $1`,
    [now],
  );
  if (Number(rows[0].missing) > 0) print('  events that did not arrive within 15 s', rows[0].missing);
  return Number(rows[0].p50);
}
