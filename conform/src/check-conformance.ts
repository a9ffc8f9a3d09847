import { operations } from '@majlis/contract';
import { describeAnswer } from './answer.ts';
import { areas } from './areas.ts';
import type { Clause } from './clause.ts';
import type { ConformOptions } from './options.ts';
import type { Finding, Report } from './report.ts';
import { openSession, type Session } from './session.ts';
import { Broken, NoAnswer, NotChecked } from './verdict.ts';

/** There is nothing to judge: nobody answers, or the key is refused. */
export class NoDeployment extends Error {
  override name = 'NoDeployment';
}

/** Judges a deployment by its answers alone, clause by clause, and takes away what it made. */
export async function checkConformance(options: ConformOptions): Promise<Report> {
  const session = openSession({ ...options, url: options.url.replace(/\/+$/, '').replace(/\/v1$/, '') });
  await assertDeployment(session);
  const chosen = areas.filter(({ name }) => !options.only || options.only.includes(name));
  const clauses: Finding[] = [];
  try {
    for (const clause of chosen.flatMap((area) => area.clauses)) clauses.push(await judge(session, clause));
    const referred = areas.flatMap((area) => area.clauses).filter(({ id }) => session.referred.has(id));
    for (const clause of referred) {
      if (!clauses.some(({ id }) => id === clause.id)) clauses.push(await judge(session, clause));
    }
  } finally {
    await cleanUp(session);
  }
  return hideSecrets(session, { url: session.options.url, clauses, leaves: [...session.leaves] });
}

async function assertDeployment({ client, options }: Session): Promise<void> {
  const answer = await client.call(operations.getKey).catch((error) => {
    if (!(error instanceof NoAnswer)) throw error;
    throw new NoDeployment(`no service answers at ${options.url}: ${error.reason}`);
  });
  if (answer.status === 401) throw new NoDeployment(`the service at ${options.url} refuses the key`);
  if (answer.status === 404) throw new NoDeployment(`${options.url} has no /v1/me: ${describeAnswer(answer)}`);
}

async function judge(session: Session, { id, text, check }: Clause): Promise<Finding> {
  try {
    await check(session);
    return { id, text, verdict: 'holds' };
  } catch (error) {
    if (error instanceof NotChecked) return { id, text, verdict: 'not checked', reason: error.message };
    if (error instanceof Broken) return { id, text, verdict: 'broken', expected: error.expected, came: error.came };
    throw error;
  }
}

/** Last first, each whatever becomes of the others. */
async function cleanUp({ cleanUps, leaves }: Session): Promise<void> {
  for (const undo of cleanUps.toReversed()) {
    const left = await undo().catch((error: Error) => `something that could not be taken away: ${error.message}`);
    if (left !== undefined) leaves.add(left);
  }
}

function hideSecrets({ secrets }: Session, report: Report): Report {
  let text = JSON.stringify(report);
  for (const secret of secrets) text = text.replaceAll(secret, '(secret)');
  return JSON.parse(text);
}
