import type { NewJob } from '../jobs/job.ts';

/** The kind of the jobs that process one notification, or its part about one customer. The group is its channel. */
export const processWebhook = 'inbound.process_webhook';

/**
 * The kind of the jobs that split a notification into jobs of the kind above. The group is its channel, the tenant its workspace, and
 * the queue key its number.
 */
export const splitWebhook = 'inbound.split_webhook';

/** The kinds of jobs that hold a notification. */
export const webhookKinds = [processWebhook, splitWebhook];

/** To parse and split this many bytes takes a few milliseconds. Larger notifications are split outside the event loop. */
export const smallBytes = 65_536;

/** The kind of the jobs that apply a status whose message was unknown when it came. */
export const retryStatus = 'inbound.retry_status';

/** The kind of the jobs that apply an edit or a deletion whose message was unknown when it came. */
export const retryRevision = 'inbound.retry_revision';

export interface StoredWebhook {
  /** The fingerprint (hex) of the app secret that signed it. It may change only channels of the same app. */
  signed_by: string;
  body: string;
}

type NewWebhook = StoredWebhook & Omit<NewJob, 'kind' | 'payload'>;

/** The payload is a line with the signer, then the body unchanged, so that integers beyond 2^53 stay exact. */
export function processWebhookJob({ signed_by, body, ...job }: NewWebhook): NewJob {
  return { kind: processWebhook, ...job, payload: writeWebhook({ signed_by, body }) };
}

interface NewSplit extends StoredWebhook {
  channel_id: string;
  workspace_id: string;
  line: string;
  run_at: Date;
}

export function splitWebhookJob({ signed_by, body, channel_id, workspace_id, line, run_at }: NewSplit): NewJob {
  const payload = writeWebhook({ signed_by, body });
  return { kind: splitWebhook, group_id: channel_id, tenant_id: workspace_id, queue_key: line, payload, run_at };
}

export function writeWebhook({ signed_by, body }: StoredWebhook): string {
  return `${signed_by}\n${body}`;
}

export function readWebhook(payload: string): StoredWebhook {
  const end = payload.indexOf('\n');
  return { signed_by: payload.slice(0, end), body: payload.slice(end + 1) };
}
