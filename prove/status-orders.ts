import { eventually } from '@majlis/testing/eventually';
import { platformStatus, postNotification } from '@majlis/testing/notifications';
import { startScriptedPlatform } from '@majlis/testing/scripted-platform';
import { type SentText, sendTexts } from '@majlis/testing/send-texts';
import { startTestService, type TestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { expectedStatuses, type ReportedStatus, statusSequences } from '@majlis/testing/status-sequences';
import fc from 'fast-check';
import { parseId } from '../server/src/database/ids.ts';
import type { ProofRun } from './section.ts';

const perNotice = 100;
const sendsAtOnce = 200;

interface StatusSetup {
  services: readonly TestService[];
  workspace: TestWorkspace;
  sequences: readonly ReportedStatus[][];
}

/**
 * Every sequence of statuses up to a length, by three workers: in its own order it leads where the contract says, step by
 * step; in any order it ends at the same place, without a step back and with one event for each step.
 */
export async function proveStatusOrders({ seed, count, log }: ProofRun): Promise<string[]> {
  const platform = await startScriptedPlatform();
  const majlis = await startTestService({
    env: { CHATAPP_API_URL: platform.api_url, RATE_LIMITS: 'off', DATABASE_POOL_SIZE: '4' },
  });
  const services = [majlis, await majlis.another(), await majlis.another()];
  const workspace = await majlis.workspace();
  const sequences = statusSequences(count).slice(1);
  const setup = { services, workspace, sequences };
  const faults = [...(await inOrder(setup)), ...(await shuffled(setup, seed))];
  log(`${sequences.length} sequences of up to ${count} statuses, each in its order and shuffled, over 3 workers`);
  return faults;
}

async function inOrder({ services, workspace, sequences }: StatusSetup): Promise<string[]> {
  const messages = await send(services[0]!, workspace, sequences.length);
  const longest = Math.max(...sequences.map(({ length }) => length));
  for (let step = 0; step < longest; step++) {
    const due = sequences.flatMap((sequence, n) =>
      sequence.slice(step, step + 1).map((status) => platformStatus(messages[n]!.wamid, status)),
    );
    const shares = services.map((_, n) => due.filter((_, place) => (place + step) % services.length === n));
    await Promise.all(services.map((service, n) => reportStatuses(service, workspace, shares[n]!)));
    await untilProcessed(services[0]!);
  }
  const found = await read(services[0]!, messages);
  return sequences.flatMap((sequence, n) => {
    const expected = expectedStatuses(sequence);
    const { status, steps } = found[n]!;
    const isRight = status === (expected.at(-1) ?? 'queued') && steps.join() === expected.join();
    return isRight ? [] : [`${sequence} led by ${steps} to ${status}, not by ${expected}`];
  });
}

async function shuffled({ services, workspace, sequences }: StatusSetup, seed: number): Promise<string[]> {
  const messages = await send(services[0]!, workspace, sequences.length);
  const all = sequences.flatMap((sequence, n) => sequence.map((status) => platformStatus(messages[n]!.wamid, status)));
  const [mixed = []] = fc.sample(fc.shuffledSubarray(all, { minLength: all.length }), { numRuns: 1, seed });
  const shares = services.map((_, n) => mixed.filter((_, place) => place % services.length === n));
  await Promise.all(services.map((service, n) => reportStatuses(service, workspace, shares[n]!)));
  await untilProcessed(services[0]!);
  const found = await read(services[0]!, messages);
  return sequences.flatMap((sequence, n) => {
    const { status, steps } = found[n]!;
    const isLegal = steps.join() === expectedStatuses(steps).join() && steps.at(-1) === status;
    return isLegal && status === endOf(sequence) ? [] : [`${sequence}, shuffled, led by ${steps} to ${status}`];
  });
}

/** What is known best of all that was reported, in whatever order. */
function endOf(sequence: readonly ReportedStatus[]): ReportedStatus {
  const order: ReportedStatus[] = ['read', 'delivered', 'failed', 'sent'];
  return order.find((status) => sequence.includes(status))!;
}

async function send(majlis: TestService, workspace: TestWorkspace, count: number): Promise<SentText[]> {
  const sent: SentText[] = [];
  for (let from = 0; from < count; from += sendsAtOnce) {
    sent.push(...(await sendTexts(majlis, workspace, Math.min(sendsAtOnce, count - from))));
  }
  return sent;
}

async function reportStatuses(
  majlis: TestService,
  workspace: TestWorkspace,
  statuses: readonly object[],
): Promise<void> {
  for (let n = 0; n < statuses.length; n += perNotice) {
    await postNotification(majlis, workspace, { statuses: statuses.slice(n, n + perNotice) });
  }
}

async function untilProcessed({ sql }: TestService): Promise<void> {
  const left = () => sql(`select from jobs where kind = 'inbound.process_webhook' limit 1`);
  await eventually(left, (rows) => rows.length === 0, 180_000);
}

/** Where each message stands, and the statuses of its events. */
async function read(
  { sql }: TestService,
  messages: readonly SentText[],
): Promise<{ status: string; steps: ReportedStatus[] }[]> {
  const ids = messages.map(({ id }) => parseId('message', id));
  const stored = await sql<{ id: string; status: string }>(
    'select id, status from messages where id = any ($1::uuid[])',
    [ids],
  );
  const events = await sql<{ id: string; status: ReportedStatus }>(
    `select payload::json -> 'data' -> 'message' ->> 'id' as id, payload::json -> 'data' -> 'message' ->> 'status' as status
     from events where type = 'message.status_updated' order by created_at, id`,
  );
  const steps = Map.groupBy(events, ({ id }) => id);
  const status = new Map(stored.map((row) => [row.id, row.status]));
  return messages.map(({ id }, n) => ({
    status: status.get(ids[n]!) ?? 'lost',
    steps: (steps.get(id) ?? []).map((event) => event.status),
  }));
}
