import type { FileKey } from '../files/file-store.ts';
import type { Resources } from '../process/resources.ts';

type Needs = Pick<Resources, 'clock' | 'config' | 'secretBox'>;

// The platform fetches a file when it takes the message. A day covers its worst delays.
const goodForMs = 24 * 3_600_000;
const place = 'media.link';

export const linkPath = '/chatapp/media';

/** A URL that gives its holder one file for a day. The sealed token contains the file's id and the expiry. */
export function linkTo({ clock, config, secretBox }: Needs, workspace_id: string, id: string): string {
  const text = [workspace_id, id, clock.nowMs() + goodForMs].join(' ');
  return `${config.publicUrl}/platform${linkPath}/${secretBox.seal(text, place).toString('base64url')}`;
}

/** The file of a link. Undefined for an invalid or expired link. */
export function readLink({ clock, secretBox }: Needs, token: string): FileKey | undefined {
  try {
    const [workspace_id, id, until] = secretBox.open(Buffer.from(token, 'base64url'), place).split(' ');
    return Number(until) > clock.nowMs() ? { workspace_id: workspace_id!, id: id! } : undefined;
  } catch {
    return undefined;
  }
}
