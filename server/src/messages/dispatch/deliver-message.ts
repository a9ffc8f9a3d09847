import { coalesce } from '../../concurrency/batch.ts';
import { publicId } from '../../database/ids.ts';
import { whenDatabaseIsBack } from '../../database/when-database-is-back.ts';
import { backoffMs } from '../../jobs/backoff.ts';
import type { Job, JobHandler, JobOutcome } from '../../jobs/job.ts';
import { retry } from '../../jobs/queries.ts';
import { sharePlacesOfHandler } from '../../jobs/share-places-of-handler.ts';
import type { ProvidedMedia, ProvidePlatformMedia } from '../../media/provide-platform-media.ts';
import { forgetCopy } from '../../media/queries.ts';
import type { PlatformClient } from '../../platform/client.ts';
import type { PlatformMedia } from '../../platform/outbound-message.ts';
import type { SendOutcome } from '../../platform/send-outcome.ts';
import type { Resources } from '../../process/resources.ts';
import { dispatchKinds, type MessageRef, readMessageRef } from '../jobs.ts';
import { refuseDispatch } from '../rules.ts';
import { beginDispatches, type Dispatch } from './begin-dispatches.ts';
import { createRecordDispatch } from './record-dispatch.ts';
import { toOutboundMessage } from './to-outbound-message.ts';

/**
 * Sends one message at most once. The job is marked as started before the call, and a call with an unknown outcome is
 * never repeated. Refused and failed calls are repeated where the message certainly was not sent.
 */
export function deliverMessageHandlers(
  resources: Resources,
  platform: PlatformClient,
  provideMedia: ProvidePlatformMedia,
): JobHandler[] {
  const { config, pool, clock, log, metrics, secretBox } = resources;
  const begin = coalesce((jobs: Job[], lock_wait) => beginDispatches(pool, clock, jobs, lock_wait), {
    concurrency: 2,
    tenant_of: ({ group_id }) => group_id,
  });
  const record = createRecordDispatch(resources);

  /** The dispatch; `wait` where the database failed before any call, so that a retry is safe. */
  async function beginOrWait(job: Job): Promise<Dispatch | 'lost' | 'gone' | 'wait'> {
    try {
      return await begin(job);
    } catch (error) {
      log.warn({ err: error, job_id: job.id }, 'a dispatch could not begin');
      return 'wait';
    }
  }

  async function send(dispatch: Dispatch, media: PlatformMedia | undefined): Promise<SendOutcome> {
    const access_token = openToken(dispatch);
    if (access_token === undefined) return { type: 'unreachable', reason: 'the access token cannot be opened' };
    const message = toOutboundMessage(dispatch, publicId('message', dispatch.id), media);
    const { phone_number_id, marketing_route, kind, is_marketing } = dispatch;
    const route = kind === 'template' && is_marketing ? marketing_route : 'messages';
    return platform.sendMessage({ phone_number_id, access_token }, message, route);
  }

  /** Undefined where another SECRET_KEY sealed the token. */
  function openToken({ access_token, channel_id }: Dispatch): string | undefined {
    try {
      return secretBox.open(access_token, 'channels.access_token');
    } catch (error) {
      log.error({ err: error, channel_id: publicId('channel', channel_id) }, 'an access token cannot be opened');
      return undefined;
    }
  }

  async function run(job: Job): Promise<JobOutcome> {
    if (job.started_at) {
      metrics.dispatches.inc({ outcome: 'interrupted' });
      return record.unknown(job, job.group_id, readMessageRef(job.payload), false);
    }
    // The upload comes before the start is marked: it takes long, and an interrupted one may be repeated.
    const ref = readMessageRef(job.payload);
    const { workspace_id, media_id } = ref;
    const copy = media_id === undefined ? undefined : { workspace_id, media_id, channel_id: job.group_id };
    const media = copy && (await provideMedia(job, copy));
    if (media?.type === 'busy') return postpone(job, uploadWaitMs);
    const dispatch = await beginOrWait(job);
    if (dispatch === 'wait') return { type: 'retry', run_at: new Date(clock.nowMs() + backoffMs(job.failures)) };
    if (dispatch === 'lost') return { type: 'finished' };
    if (dispatch === 'gone' || dispatch.status !== 'queued') return { type: 'done' };
    const refusal = refuseDispatch(dispatch) ?? refuseMedia(media);
    if (refusal) return withDatabase(() => record.failed(job, dispatch, refusal));

    const outcome = await sendWith(dispatch, media);
    if (copy && !ref.is_uploaded_again && isForgotten(media, outcome)) {
      await forgetCopy(pool, copy);
      const again: MessageRef = { ...ref, is_uploaded_again: true };
      return { type: 'retry', run_at: clock.now(), payload: JSON.stringify(again) };
    }
    metrics.dispatches.inc({ outcome: outcome.type });
    if (outcome.type !== 'accepted') {
      const channel_id = publicId('channel', dispatch.channel_id);
      log.info({ job_id: job.id, channel_id, outcome }, 'a send was not accepted');
    }
    return withDatabase(() => recordOutcome(job, dispatch, outcome));
  }

  /** A message is not sent without its file: a failed upload is the outcome of the send. */
  async function sendWith(dispatch: Dispatch, media: ProvidedMedia | undefined): Promise<SendOutcome> {
    if (media === undefined || media.type === 'ready') return send(dispatch, media?.media);
    if (media.type === 'refused' || media.type === 'unreachable') return media;
    return { type: 'unreachable', reason: 'the file was not given to the platform' };
  }

  async function postpone(job: Job, delay_ms: number): Promise<JobOutcome> {
    await retry(pool, [{ job, run_at: new Date(clock.nowMs() + delay_ms), failed: false }]);
    return { type: 'finished' };
  }

  /** This process alone knows the outcome of the call, so it waits for the database to come back. */
  function withDatabase(work: () => Promise<JobOutcome>): Promise<JobOutcome> {
    return whenDatabaseIsBack(work, config.leaseSeconds * 1000);
  }

  function recordOutcome(job: Job, dispatch: Dispatch, outcome: SendOutcome): Promise<JobOutcome> {
    switch (outcome.type) {
      case 'accepted':
        return record.accepted(job, dispatch, outcome);
      case 'unknown':
        return record.unknown(job, job.group_id, readMessageRef(job.payload), true);
      case 'unreachable':
        return record.unreachable(job, dispatch, outcome);
      case 'refused':
        return record.refused(job, dispatch, outcome);
    }
  }

  const { narrowed } = record;
  return dispatchKinds.map((kind) =>
    sharePlacesOfHandler(pool, { kind, concurrency, group_concurrency, narrowed, run }),
  );
}

// Concurrent calls of one kind, and of one number. The platform's client has a connection for each.
const concurrency = 512;
const group_concurrency = 32;
const uploadWaitMs = 1_000;

function refuseMedia(media: ProvidedMedia | undefined): string | undefined {
  return media?.type === 'gone' ? 'The file of the message is no longer there.' : undefined;
}

// "Not a valid media attachment id", and the codes of media that cannot be used.
const mediaCodes = new Set([100, 131_009, 131_052, 131_053]);

/** Whether the platform may have deleted the copy of an earlier send. Then one more try uploads a new copy. */
function isForgotten(media: ProvidedMedia | undefined, outcome: SendOutcome): boolean {
  return media?.type === 'ready' && media.is_old && outcome.type === 'refused' && mediaCodes.has(outcome.error.code);
}
