import { newId, publicId } from '../../database/ids.ts';
import type { Transaction } from '../../database/transaction.ts';
import { readDataForm } from '../../events/read-data-form.ts';
import type { Clock } from '../../process/clock.ts';
import type { SecretBox } from '../../secrets/encrypt.ts';
import { checkEvents } from '../../webhook-endpoints/manage/check-events.ts';
import { newSecret } from '../../webhook-endpoints/new-secret.ts';
import { changeEndpoint, insertEndpoint, listEndpointSetups, secretContext } from '../../webhook-endpoints/queries.ts';
import type { Kept } from './kept.ts';
import { refuseUnder } from './refuse-under.ts';
import type { WorkspaceFile } from './workspace-file.ts';

export interface AppliedEndpoint {
  id: string;
  url: string;
  /** Only of a new one. */
  secret?: string;
}

interface Applying {
  tx: Transaction;
  clock: Clock;
  secretBox: SecretBox;
  workspace_id: string;
  kept: Kept[];
}

/** Registers the endpoints whose address is new, each with a secret of its own. Those that exist stay as people set them. */
export async function applyEndpoints(
  { tx, clock, secretBox, workspace_id, kept }: Applying,
  files: NonNullable<WorkspaceFile['webhook_endpoints']>,
): Promise<AppliedEndpoint[]> {
  if (files.length === 0) return [];
  const stored = new Map((await listEndpointSetups(tx, workspace_id)).map((row) => [row.url, row]));
  const applied: AppliedEndpoint[] = [];
  for (const [index, { url, events, description, event_data, enabled = true }] of files.entries()) {
    await refuseUnder(`/webhook_endpoints/${index}`, async () => checkEvents(events));
    const before = stored.get(url);
    if (before) {
      const [value, in_file] = [before.events, events].map((list) => [...list].sort().join(' '));
      if (value !== in_file) kept.push({ webhook_endpoint: url, member: 'events', value: value!, in_file: in_file! });
      if (before.enabled !== enabled) {
        kept.push({ webhook_endpoint: url, member: 'enabled', value: `${before.enabled}`, in_file: `${enabled}` });
      }
      applied.push({ id: publicId('webhook_endpoint', before.id), url });
      continue;
    }
    const secret = newSecret();
    const { id } = await insertEndpoint(tx, {
      workspace_id,
      id: newId(clock),
      url,
      events,
      description: description ?? null,
      event_data: readDataForm(event_data),
      secret: secretBox.seal(secret, secretContext),
      created_at: clock.now(),
    });
    if (!enabled) await changeEndpoint(tx, workspace_id, id, { enabled });
    applied.push({ id: publicId('webhook_endpoint', id), url, secret });
  }
  return applied;
}
