import { createHash } from 'node:crypto';

const dayMs = 24 * 3_600_000;

export type StoredMedia = {
  id: string;
  phone_number_id: string;
  mime_type: string;
  filename?: string;
  bytes: Buffer;
  /** Hexadecimal, as in GET; webhooks carry base64. */
  sha256: string;
  expires_at: number;
  voice?: boolean;
};

export type MediaStore = {
  add(media: Omit<StoredMedia, 'sha256' | 'expires_at'>, origin: 'business' | 'customer', now: number): StoredMedia;
  get(id: string, now: number): StoredMedia | undefined;
  remove(id: string): void;
  clear(): void;
};

/** Keeps media in memory up to `keepBytes`; the oldest are dropped first. */
export function makeMediaStore(keepBytes: number): MediaStore {
  const byId = new Map<string, StoredMedia>();
  let held = 0;

  function remove(id: string): void {
    held -= byId.get(id)?.bytes.length ?? 0;
    byId.delete(id);
  }

  return {
    add(given, origin, now) {
      const sha256 = createHash('sha256').update(given.bytes).digest('hex');
      // Uploads expire after 30 days, customers' media after 7 (section 4).
      const media = { ...given, sha256, expires_at: now + (origin === 'business' ? 30 : 7) * dayMs };
      byId.set(media.id, media);
      held += media.bytes.length;
      for (const id of byId.keys()) {
        if (held <= keepBytes || id === media.id) break;
        remove(id);
      }
      return media;
    },
    get(id, now) {
      const media = byId.get(id);
      return media !== undefined && now < media.expires_at ? media : undefined;
    },
    remove,
    clear() {
      byId.clear();
      held = 0;
    },
  };
}
