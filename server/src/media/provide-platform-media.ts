import { shareFreePlaces } from '../concurrency/share-free-places.ts';
import { holdLease } from '../jobs/hold-lease.ts';
import type { Job } from '../jobs/job.ts';
import type { MediaClient } from '../platform/media/media-client.ts';
import { readUploadFailure } from '../platform/media/read-upload-failure.ts';
import { uploadTypeOf } from '../platform/media/upload-types.ts';
import type { PlatformMedia, SendOutcome } from '../platform/types.ts';
import type { Resources } from '../process/resources.ts';
import { linkTo } from './link.ts';
import { findForPlatform, type MediaForPlatform, type PlatformCopy, rememberCopy } from './queries.ts';

/** A file as a send can name it, or why it cannot. */
export type ProvidedMedia =
  /** `is_old`: uploaded for an earlier send; the platform may have forgotten it before its time. */
  | { type: 'ready'; media: PlatformMedia; is_old: boolean }
  /** The file or its bytes are no longer there. */
  | { type: 'gone' }
  /** Too many uploads are under way: ask again soon. */
  | { type: 'busy' }
  /** The platform refuses every call of the channel at the moment: nothing was tried. */
  | { type: 'faulty' }
  | Extract<SendOutcome, { type: 'refused' | 'unreachable' }>;

export type ProvidePlatformMedia = (job: Job, copy: PlatformCopy) => Promise<ProvidedMedia>;

const mostUploads = 32;
const uploadsOfChannel = 8;
// It keeps uploads for 30 days (section 4.1); the last of them may pass while a send waits.
const keptForMs = 29 * 24 * 3_600_000;

/**
 * Gives the platform a file once for each number and remembers its id while it is good; sends of the same file that
 * come together share one upload. What the upload does not take, the platform fetches from an address of ours.
 */
export function createProvidePlatformMedia(resources: Resources, client: MediaClient): ProvidePlatformMedia {
  const { pool, clock, config, files, secretBox } = resources;
  const uploads = new Map<string, Promise<ProvidedMedia>>();
  const places = shareFreePlaces({ places: mostUploads, each: uploadsOfChannel });

  async function provide(job: Job, copy: PlatformCopy): Promise<ProvidedMedia> {
    const media = await findForPlatform(pool, copy, clock.now());
    if (!media) return { type: 'gone' };
    const { platform_media_id } = media;
    if (platform_media_id) return { type: 'ready', media: { platform_media_id }, is_old: true };
    if (media.has_fault) return { type: 'faulty' };
    if (!uploadTypeOf(media.mime)) {
      return { type: 'ready', media: { link: linkTo(resources, copy.workspace_id, copy.media_id) }, is_old: false };
    }
    const key = `${copy.media_id} ${copy.channel_id}`;
    const upload = uploads.get(key) ?? begin(key, copy, media);
    if (!upload) return { type: 'busy' };
    return holdLease(pool, job, config.leaseSeconds, () => upload);
  }

  function begin(key: string, copy: PlatformCopy, media: MediaForPlatform): Promise<ProvidedMedia> | undefined {
    if (!places.take(copy.channel_id)) return undefined;
    const upload = uploadOnce(copy, media).finally(() => {
      uploads.delete(key);
      places.give(copy.channel_id);
    });
    uploads.set(key, upload);
    return upload;
  }

  async function uploadOnce(copy: PlatformCopy, media: MediaForPlatform): Promise<ProvidedMedia> {
    const file = await files.open({ workspace_id: copy.workspace_id, id: copy.media_id });
    if (!file) return { type: 'gone' };
    const { phone_number_id } = media;
    try {
      const access_token = secretBox.open(media.access_token, 'channels.access_token');
      const platform_media_id = await client.upload({ phone_number_id, access_token }, { ...file, mime: media.mime });
      await rememberCopy(pool, copy, platform_media_id, new Date(clock.nowMs() + keptForMs));
      return { type: 'ready', media: { platform_media_id }, is_old: false };
    } catch (failure) {
      file.bytes.destroy();
      return readUploadFailure(failure);
    }
  }

  return provide;
}
