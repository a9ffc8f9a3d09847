import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { Clock } from '../../process/clock.ts';
import { enqueueFetches } from '../receive/enqueue-fetches.ts';
import { indexMessage } from '../search/index-message.ts';
import type { PhoneMessage } from './phone-message.ts';

/** The type of a message whose file follows in a notification of its own. */
const placeholder = 'media_placeholder';

const fill = statement<{ workspace_id: string; id: string; channel_id: string; platform_media_id: string | null }>(`
  with filled as (
    select * from json_to_recordset($1) as f (workspace_id uuid, channel_id uuid, platform_message_id text, kind text, body text,
      mime text, filename text, error text, content jsonb)
  )
  update messages m set kind = f.kind, body = f.body, mime = f.mime, filename = f.filename, error = f.error,
    content = (f.content || jsonb_build_object('imported', m.content::jsonb -> 'imported'))::json
  from filled f
  where m.workspace_id = f.workspace_id and m.channel_id = f.channel_id and m.platform_message_id = f.platform_message_id
    and m.content ->> 'platform_type' = '${placeholder}' and m.content -> 'imported' is not null and m.deleted_at is null
  returning m.workspace_id, m.id, m.channel_id, m.content ->> 'platform_media_id' as platform_media_id`);

/** Gives the files to imported messages that waited for them. */
export async function fillPlaceholders(
  tx: Transaction,
  clock: Clock,
  messages: readonly PhoneMessage[],
): Promise<void> {
  const filling = messages.flatMap(({ content, ...message }) =>
    (content as { platform_type?: string }).platform_type === placeholder ? [] : [{ ...message, content }],
  );
  if (filling.length === 0) return;
  const filled = await fill(tx, [JSON.stringify(filling)]);
  await enqueueFetches(
    tx,
    filled.map(({ platform_media_id, ...row }) => {
      return { ...row, created_at: clock.now(), ...(platform_media_id !== null && { platform_media_id }) };
    }),
  );
  for (const { workspace_id, id } of filled) await indexMessage(tx, workspace_id, id);
}
