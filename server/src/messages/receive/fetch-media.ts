import { type ChannelAccess, findAccess } from '../../channels/queries.ts';
import { publicId } from '../../database/ids.ts';
import { separateTransaction, type Transaction } from '../../database/transaction.ts';
import { recordEvents } from '../../events/record-events.ts';
import { backoffMs } from '../../jobs/backoff.ts';
import { pauseGroup } from '../../jobs/groups.ts';
import { holdLease } from '../../jobs/hold-lease.ts';
import type { Job, JobHandler, JobOutcome } from '../../jobs/job.ts';
import { finish, retry } from '../../jobs/queries.ts';
import { sharePlacesOfHandler } from '../../jobs/share-places-of-handler.ts';
import { insertMedia } from '../../media/queries.ts';
import { type FetchedFile, storeFetched, UnusableFile } from '../../media/store-fetched.ts';
import type { MediaClient } from '../../platform/media/media-client.ts';
import { PlatformRefusal } from '../../platform/refusal.ts';
import type { Resources } from '../../process/resources.ts';
import { faultPauseMs } from '../dispatch/decide-retry.ts';
import { mediaReady, messageReceived } from '../events.ts';
import { type FetchRef, fetchMedia, readFetchRef } from '../jobs.ts';
import { type AwaitedFile, findAwaited, lockAwaiting, setFile, setFileError } from './received-files.ts';

// The platform keeps files of customers for 7 days (platform-protocol, section 4.2).
const keptForMs = 7 * 24 * 3_600_000;

/**
 * Fetches the file of an inbound message, and retries until the platform has deleted it. One transaction attaches
 * the file to the message, or stores the error, and records the event of the message.
 */
export function fetchMediaHandler(resources: Resources, client: MediaClient): JobHandler {
  const { pool, clock, config, log, files, secretBox } = resources;
  const finished: JobOutcome = { type: 'finished' };
  /** Channels whose last call was refused for a fault of the channel. */
  const faulty = new Set<string>();

  async function fetchOnce(awaited: AwaitedFile, channel: ChannelAccess | undefined): Promise<FetchedFile> {
    if (!channel) throw new UnusableFile('its number is no longer there');
    const access_token = secretBox.open(channel.access_token, 'channels.access_token');
    const access = { phone_number_id: channel.phone_number_id, access_token };
    const file = await client.find(access, awaited.platform_media_id);
    return storeFetched(resources, client, access, file, awaited.workspace_id);
  }

  /**
   * Ends the wait of a message: with this commit it has its file or an error, and its event. False where another worker
   * ended the wait, or the message was erased.
   */
  function endWait(
    job: Job,
    awaited: AwaitedFile,
    end: (tx: Transaction) => Promise<void>,
    file?: FetchedFile,
  ): Promise<boolean> {
    return separateTransaction(pool, awaited.workspace_id, async (tx) => {
      const message = await lockAwaiting(tx, awaited);
      if ((await finish(tx, [job])) === 0 || !message) return false;
      await end(tx);
      if (message.direction === 'inbound' && !message.is_imported) {
        await recordEvents(tx, clock, [messageReceived(message), ...(file ? [mediaReady(message, file)] : [])]);
      }
      return true;
    });
  }

  async function attach(job: Job, awaited: AwaitedFile, file: FetchedFile): Promise<JobOutcome> {
    const { workspace_id, id, mime, size_bytes } = file;
    const media = { workspace_id, id, mime, filename: awaited.filename, size_bytes };
    const isAttached = await endWait(
      job,
      awaited,
      async (tx) => {
        await insertMedia(tx, { ...media, created_at: clock.now() });
        await setFile(tx, awaited, media);
      },
      file,
    );
    if (!isAttached) await files.remove(file);
    return finished;
  }

  async function giveUp(job: Job, awaited: AwaitedFile, failure: unknown): Promise<JobOutcome> {
    await endWait(job, awaited, (tx) => setFileError(tx, awaited, describeLoss(failure)));
    return finished;
  }

  /** The job made no call, so it stays first in its group. */
  async function waitUntil(job: Job, until: Date): Promise<JobOutcome> {
    await pauseGroup(pool, fetchMedia, job.group_id, until);
    await retry(pool, [{ job, run_at: job.run_at, failed: false }]);
    return finished;
  }

  /**
   * With a refused token, 200 files would cause 200 refused calls, and as many retries. So the channel is paused, and then
   * one fetch shows whether the others can follow (hazard H27). Sends notice the fault by their own calls.
   */
  async function noteFault(channel_id: string, failure: unknown): Promise<void> {
    if (!(failure instanceof PlatformRefusal) || !failure.channel_fault) {
      faulty.delete(channel_id);
      return;
    }
    faulty.add(channel_id);
    await pauseGroup(pool, fetchMedia, channel_id, new Date(clock.nowMs() + faultPauseMs));
  }

  async function run(job: Job): Promise<JobOutcome> {
    const { unknown_tries = 0, ...ref } = readFetchRef(job.payload);
    const awaited = await findAwaited(pool, ref);
    if (!awaited) return { type: 'done' };
    const channel = await findAccess(pool, awaited);
    if (channel?.fault_until && channel.fault_until > clock.now()) return waitUntil(job, channel.fault_until);
    let file: FetchedFile;
    try {
      file = await holdLease(pool, job, config.leaseSeconds, () => fetchOnce(awaited, channel));
      faulty.delete(awaited.channel_id);
    } catch (error) {
      await noteFault(awaited.channel_id, error);
      const isPast = clock.nowMs() - awaited.created_at.getTime() > keptForMs;
      const isUnknown = codeOf(error) === unknownObject;
      const isDeleted = isUnknown && unknown_tries >= triesForUnknown;
      if (error instanceof UnusableFile || isDeleted || isPast) return giveUp(job, awaited, error);
      const message_id = publicId('message', awaited.message_id);
      log.warn({ err: error, message_id, failures: job.failures }, 'the file of a message could not be fetched yet');
      const payload = JSON.stringify({ ...ref, unknown_tries: unknown_tries + Number(isUnknown) } satisfies FetchRef);
      return { type: 'retry', run_at: new Date(clock.nowMs() + backoffMs(job.failures)), payload };
    }
    return attach(job, awaited, file);
  }

  const narrowed = (): [string, number][] => [...faulty].map((channel_id) => [channel_id, 1]);
  return sharePlacesOfHandler(pool, { kind: fetchMedia, concurrency: 32, group_concurrency: 4, narrowed, run });
}

/** "Unsupported get request: object does not exist": the file was deleted or has expired. */
const unknownObject = 100;
// A notification can arrive before its file exists.
const triesForUnknown = 4;

function codeOf(failure: unknown): number | undefined {
  return failure instanceof PlatformRefusal ? failure.error?.code : undefined;
}

/** In the form of the platform's errors: its code, where there is one, and a text. */
function describeLoss(failure: unknown): string {
  const code = codeOf(failure);
  const loss = 'The file of the message could not be fetched from the platform.';
  return code === undefined ? loss : `${code}: ${loss}`;
}
