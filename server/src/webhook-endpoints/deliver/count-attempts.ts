import type { Logger } from 'pino';
import { publicId } from '../../database/ids.ts';
import type { Transaction } from '../../database/transaction.ts';
import { enqueueJobs } from '../../jobs/enqueue.ts';
import type { Clock } from '../../process/clock.ts';
import { findAdmins } from '../../users/find-admins.ts';
import { emailAdminJob, tidyEndpointJob } from '../jobs.ts';
import { type LockedEndpoint, lockFailing, saveStreaks } from '../queries.ts';
import { continueStreak, isGivenUp, type Streak } from '../rules.ts';

/** An attempt as the count of failures sees it. */
export interface CountedAttempt {
  workspace_id: string;
  endpoint_id: string;
  /** The endpoint's term in which the delivery began. Attempts of earlier terms do not count. */
  term: number;
  at: Date;
  is_delivered: boolean;
  /** The reason of a failure. */
  reason: string;
}

/**
 * Counts consecutive failures and disables endpoints that have failed for three days. The row lock makes concurrent attempts
 * disable an endpoint once. Answers the disabled endpoints, which get no retry.
 */
export async function countAttempts(
  tx: Transaction,
  { clock, log }: { clock: Clock; log: Logger },
  attempts: readonly CountedAttempt[],
): Promise<{ disabled: Set<string> }> {
  if (attempts.length === 0) return { disabled: new Set() };
  const byEndpoint = Map.groupBy(attempts, ({ endpoint_id }) => endpoint_id);
  const names = [...byEndpoint].map(([endpoint_id, of]) => ({
    workspace_id: of[0]!.workspace_id,
    endpoint_id,
    failed: of.some(({ is_delivered }) => !is_delivered),
  }));
  const locked = await lockFailing(tx, names);
  const counted = locked.map((endpoint) => count(endpoint, byEndpoint.get(endpoint.id)!));
  await saveStreaks(tx, counted);
  for (const [index, { id, failing_since }] of counted.entries()) {
    if (!failing_since || locked[index]!.failing_since) continue;
    const { reason } = byEndpoint.get(id)!.findLast(({ is_delivered }) => !is_delivered)!;
    log.warn({ endpoint_id: publicId('webhook_endpoint', id), reason }, 'a webhook endpoint began to fail');
  }
  const newlyDisabled = counted.filter(({ enabled }, index) => locked[index]!.enabled && !enabled);
  for (const endpoint of newlyDisabled) await notifyDisabled(tx, clock, endpoint);
  return { disabled: new Set(counted.filter(({ enabled }) => !enabled).map(({ id }) => id)) };
}

function count(endpoint: LockedEndpoint, attempts: CountedAttempt[]): LockedEndpoint {
  const { enabled, term, failing_since, last_failure_at } = endpoint;
  const ofTerm = attempts.filter((one) => one.term === term).sort((a, b) => a.at.getTime() - b.at.getTime());
  const streak = ofTerm.reduce(continueStreak, { failing_since, last_failure_at } as Streak);
  // The last attempt decides: a receiver that answers again is not disabled for the failures recorded with its success.
  return { ...endpoint, ...streak, enabled: enabled && !isGivenUp(streak) };
}

async function notifyDisabled(
  tx: Transaction,
  clock: Clock,
  { workspace_id, id, url, ...streak }: LockedEndpoint,
): Promise<void> {
  const now = clock.now();
  const endpoint_id = id;
  const notice = { workspace_id, endpoint_id, url, failing_since: streak.failing_since!.toISOString() };
  const admins = await findAdmins(tx, workspace_id);
  await enqueueJobs(tx, [
    tidyEndpointJob({ workspace_id, endpoint_id }, now),
    ...admins.map((user_id) => emailAdminJob({ ...notice, user_id, disabled_at: now.toISOString() }, now)),
  ]);
}
