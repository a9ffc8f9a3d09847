import type { FastifyInstance } from 'fastify';
import type { FileKey } from '../files/file-store.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { sendBytes } from '../http/reply/send-bytes.ts';
import type { Resources } from '../process/resources.ts';
import { openDownload } from './download-media.ts';
import { findMediaRow } from './queries.ts';

type Needs = Pick<Resources, 'clock' | 'config' | 'secretBox'>;

// The platform fetches a file when it takes the message. A day covers its worst delays.
const goodForMs = 24 * 3_600_000;
const place = 'media.link';
const linkPath = '/chatapp/media';

/** A URL that gives its holder one file for a day. The sealed token contains the file's id and the expiry. */
export function linkTo({ clock, config, secretBox }: Needs, workspace_id: string, id: string): string {
  const text = [workspace_id, id, clock.nowMs() + goodForMs].join(' ');
  return `${config.publicUrl}/platform${linkPath}/${secretBox.seal(text, place).toString('base64url')}`;
}

/** The file of a link. Undefined for an invalid or expired link. */
function readLink({ clock, secretBox }: Needs, token: string): FileKey | undefined {
  try {
    const [workspace_id, id, until] = secretBox.open(Buffer.from(token, 'base64url'), place).split(' ');
    return Number(until) > clock.nowMs() ? { workspace_id: workspace_id!, id: id! } : undefined;
  } catch {
    return undefined;
  }
}

/** Serves the files that the platform fetches by link instead of taking an upload. */
export async function mediaLinkRoutes(app: FastifyInstance, resources: Resources): Promise<void> {
  app.get<{ Params: { token: string } }>(`${linkPath}/:token`, async (request, reply) => {
    const key = readLink(resources, request.params.token);
    const media = key && (await findMediaRow(resources.pool, key));
    const download = media && (await openDownload(resources.files, key, media));
    if (!download) throw new Refusal('not_found');
    return sendBytes(download, request, reply);
  });
}
