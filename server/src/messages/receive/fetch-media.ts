import { type ChannelAccess, findAccess } from '../../channels/queries.ts';
import { publicId } from '../../database/ids.ts';
import { transaction } from '../../database/transaction.ts';
import { backoffMs } from '../../jobs/backoff.ts';
import { pauseGroup } from '../../jobs/groups.ts';
import { holdLease } from '../../jobs/hold-lease.ts';
import type { Job, JobHandler, JobOutcome } from '../../jobs/job.ts';
import { finish, retry } from '../../jobs/queries.ts';
import { sharePlacesOfHandler } from '../../jobs/share-places-of-handler.ts';
import { insert } from '../../media/queries.ts';
import { type FetchedFile, storeFetched, UnusableFile } from '../../media/store-fetched.ts';
import type { MediaClient } from '../../platform/media/media-client.ts';
import { PlatformRefusal } from '../../platform/refusal.ts';
import type { Resources } from '../../process/resources.ts';
import { faultPauseMs } from '../dispatch/decide-retry.ts';
import { fetchMedia, readMessageRef } from '../jobs.ts';
import { type AwaitedFile, findAwaited, lockAwaited, setFile, setFileLost } from './received-files.ts';

// The platform keeps what customers send for 7 days (its protocol, section 4.2).
const keptForMs = 7 * 24 * 3_600_000;

/**
 * Fetches the file of a message that came in, as soon as it is known and until the platform has it no longer. The
 * message stands meanwhile; its file appears with its row in one moment, or the message says that it could not be had.
 */
export function fetchMediaHandler(resources: Resources, client: MediaClient): JobHandler {
  const { pool, clock, config, log, files, secretBox } = resources;
  const finished: JobOutcome = { type: 'finished' };
  /** Channels of which every call was refused when one was last made. */
  const faulty = new Set<string>();

  async function fetchOnce(awaited: AwaitedFile, channel: ChannelAccess | undefined): Promise<FetchedFile> {
    if (!channel) throw new UnusableFile('its number is no longer there');
    const access_token = secretBox.open(channel.access_token, 'channels.access_token');
    const access = { phone_number_id: channel.phone_number_id, access_token };
    const file = await client.find(access, awaited.platform_media_id);
    return storeFetched(resources, client, access, file, awaited.workspace_id);
  }

  /** The message may have been erased while its file was on the way: then the file goes too. */
  async function attach(job: Job, awaited: AwaitedFile, file: FetchedFile): Promise<JobOutcome> {
    const { workspace_id, id, mime, size_bytes } = file;
    const attached = await transaction(pool, async (tx) => {
      const isAwaited = await lockAwaited(tx, awaited);
      if (isAwaited) {
        const media = { workspace_id, id, mime, filename: awaited.filename, size_bytes };
        await insert(tx, { ...media, created_at: clock.now() });
        await setFile(tx, awaited, media);
      }
      await finish(tx, [job]);
      return isAwaited;
    });
    if (!attached) await files.remove(file);
    return finished;
  }

  async function giveUp(job: Job, awaited: AwaitedFile, failure: unknown): Promise<JobOutcome> {
    await transaction(pool, async (tx) => {
      await setFileLost(tx, awaited, describeLoss(failure));
      await finish(tx, [job]);
    });
    return finished;
  }

  /** Nothing was asked: it comes first when the platform may be asked again. */
  async function waitUntil(job: Job, until: Date): Promise<JobOutcome> {
    await pauseGroup(pool, fetchMedia, job.group_id, until);
    await retry(pool, [{ job, run_at: job.run_at, failed: false }]);
    return finished;
  }

  /**
   * Behind a refused token 200 files would be asked for 200 times, and each again: the channel's other files wait, and then one of
   * them shows whether they may follow (H27). Sends are not failed for it: they ask themselves.
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
    const awaited = await findAwaited(pool, readMessageRef(job.payload));
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
      const isUnknown = codeOf(error) === unknownObject && job.failures >= triesForUnknown;
      if (error instanceof UnusableFile || isUnknown || isPast) return giveUp(job, awaited, error);
      const message_id = publicId('message', awaited.message_id);
      log.warn({ err: error, message_id, failures: job.failures }, 'the file of a message could not be fetched yet');
      return { type: 'retry', run_at: new Date(clock.nowMs() + backoffMs(job.failures)) };
    }
    return attach(job, awaited, file);
  }

  const narrowed = (): [string, number][] => [...faulty].map((channel_id) => [channel_id, 1]);
  return sharePlacesOfHandler(pool, { kind: fetchMedia, concurrency: 32, group_concurrency: 4, narrowed, run });
}

/** "Unsupported get request: object does not exist": it was deleted, or its days are over. */
const unknownObject = 100;
// A notification can be faster than the file that it tells of.
const triesForUnknown = 4;

function codeOf(failure: unknown): number | undefined {
  return failure instanceof PlatformRefusal ? failure.error?.code : undefined;
}

/** In the form of the platform's own reasons: its code, where it gave one, and words. */
function describeLoss(failure: unknown): string {
  const code = codeOf(failure);
  const loss = 'The file of the message could not be fetched from the platform.';
  return code === undefined ? loss : `${code}: ${loss}`;
}
