import { operations } from '@majlis/contract';
import { describeResponse } from './api-response.ts';
import { areas } from './areas.ts';
import type { Clause } from './clause.ts';
import type { ConformOptions } from './options.ts';
import { type EventReceiver, receiveEvents } from './receive-events.ts';
import type { Finding, Report } from './report.ts';
import { openSession, type Session } from './session.ts';
import { Broken, NoAnswer, NotChecked } from './verdict.ts';

/** The run cannot start: no service answers at the address, it refuses the key, or the port for events is taken. */
export class CannotCheck extends Error {
  override name = 'CannotCheck';
}

/**
 * Checks a deployment against the contract, clause by clause, and removes what the run created. Throws CannotCheck.
 */
export async function checkConformance(options: ConformOptions): Promise<Report> {
  const session = openSession({ ...options, url: options.url.replace(/\/+$/, '').replace(/\/v1$/, '') });
  await assertDeployment(session);
  session.receiver = await openReceiver(options.webhook_port);
  const selected = areas.filter(({ name }) => !options.only || options.only.includes(name));
  const clauses: Finding[] = [];
  try {
    for (const clause of selected.flatMap((area) => area.clauses)) clauses.push(await checkClause(session, clause));
    const referred = areas.flatMap((area) => area.clauses).filter(({ id }) => session.referred.has(id));
    for (const clause of referred) {
      if (!clauses.some(({ id }) => id === clause.id)) clauses.push(await checkClause(session, clause));
    }
  } finally {
    await cleanUp(session);
    await session.receiver?.close();
  }
  return hideSecrets(session, { url: session.options.url, clauses, leaves: [...session.leaves] });
}

async function assertDeployment({ client, options }: Session): Promise<void> {
  const answer = await client.call(operations.getKey).catch((error) => {
    if (!(error instanceof NoAnswer)) throw error;
    throw new CannotCheck(`no service answers at ${options.url}: ${error.reason}`);
  });
  if (answer.status === 401) throw new CannotCheck(`the service at ${options.url} refuses the key`);
  if (answer.status === 404) throw new CannotCheck(`${options.url} has no /v1/me: ${describeResponse(answer)}`);
}

async function openReceiver(port: number | undefined): Promise<EventReceiver | undefined> {
  if (port === undefined) return undefined;
  return receiveEvents(port).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'EADDRINUSE' ? 'it is taken by another program' : error.message;
    throw new CannotCheck(`port ${port} cannot receive events: ${reason}`);
  });
}

async function checkClause(session: Session, { id, text, check }: Clause): Promise<Finding> {
  try {
    await check(session);
    return { id, text, verdict: 'holds' };
  } catch (error) {
    if (error instanceof NotChecked) return { id, text, verdict: 'not checked', reason: error.message };
    if (error instanceof Broken) return { id, text, verdict: 'broken', expected: error.expected, came: error.came };
    throw error;
  }
}

/** Runs the clean-ups in reverse order. A failed clean-up does not stop the others. */
async function cleanUp({ cleanUps, leaves }: Session): Promise<void> {
  for (const undo of cleanUps.toReversed()) {
    const remainder = await undo().catch((error: Error) => `something that could not be removed: ${error.message}`);
    if (remainder !== undefined) leaves.add(remainder);
  }
}

function hideSecrets({ secrets }: Session, report: Report): Report {
  let text = JSON.stringify(report);
  for (const secret of secrets) text = text.replaceAll(secret, '(secret)');
  return JSON.parse(text);
}
