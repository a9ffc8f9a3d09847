import { shareFreePlaces } from '../concurrency/share-free-places.ts';
import { holdLease } from '../jobs/hold-lease.ts';
import type { Job } from '../jobs/job.ts';
import type { MediaClient } from '../platform/media/media-client.ts';
import { readUploadFailure } from '../platform/media/read-upload-failure.ts';
import { uploadTypeOf } from '../platform/media/upload-types.ts';
import type { PlatformMedia } from '../platform/outbound-message.ts';
import type { SendOutcome } from '../platform/send-outcome.ts';
import type { Resources } from '../process/resources.ts';
import { linkTo } from './link.ts';
import { findForPlatform, type MediaForPlatform, type PlatformCopy, rememberCopy } from './queries.ts';

/** A file for a send, or the reason why there is none. */
export type ProvidedMedia =
  /** `is_old`: uploaded for an earlier send, so the platform may have deleted it early. */
  | { type: 'ready'; media: PlatformMedia; is_old: boolean }
  /** The file or its bytes are missing. */
  | { type: 'gone' }
  /** Too many uploads are under way. The caller tries again soon. */
  | { type: 'busy' }
  /** The platform refuses every call of the channel now, so none was made. */
  | { type: 'faulty' }
  | Extract<SendOutcome, { type: 'refused' | 'unreachable' }>;

export type ProvidePlatformMedia = (job: Job, copy: PlatformCopy) => Promise<ProvidedMedia>;

const mostUploads = 32;
const uploadsOfChannel = 8;
// The platform keeps uploads for 30 days (platform-protocol section 4.1). A send may wait for a part of the last day.
const keptForMs = 29 * 24 * 3_600_000;

/**
 * Uploads a file to the platform once per number and stores the platform's id while it is valid. Concurrent sends of a file share
 * one upload. The platform fetches types that it does not accept as uploads by a link.
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
