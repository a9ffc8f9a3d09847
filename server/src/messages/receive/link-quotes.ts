import { statement } from '../../database/query.ts';
import { separateTransaction, type Transaction } from '../../database/transaction.ts';
import type { JobHandler } from '../../jobs/job.ts';
import { sharePlacesOfHandler } from '../../jobs/share-places-of-handler.ts';
import type { Resources } from '../../process/resources.ts';
import { type LinkRef, linkQuote, linkQuoteJob, type MessageRef, readLinkRef, retryDelaysSeconds } from '../jobs.ts';
import type { NewMessage } from '../queries.ts';
import { findQuoted } from './find-quoted.ts';

// The platform delivers in any order: what is quoted may come after the quote.

/** The jobs that look again for what these new messages quote. */
export function linkJobsOf(fresh: readonly { row: NewMessage; quoted_platform_id: string | undefined }[]) {
  return fresh.flatMap(({ row, quoted_platform_id }) =>
    quoted_platform_id && row.reply_to_id === null ? [linkQuoteJob(row)] : [],
  );
}

/** As the platform names it in a stored message. */
const quotedId = (m: string) =>
  `coalesce(${m}.content -> 'raw' -> 'reaction' ->> 'message_id', ${m}.content -> 'raw' -> 'context' ->> 'id')`;

interface Unlinked {
  id: string;
  workspace_id: string;
  channel_id: string;
  contact_id: string | null;
  quoted_platform_id: string | null;
}

const selectUnlinked = statement<Unlinked>(`
  select m.id, m.workspace_id, m.channel_id, c.contact_id, ${quotedId('m')} as quoted_platform_id
  from messages m join conversations c on c.workspace_id = m.workspace_id and c.id = m.conversation_id
  where m.workspace_id = $1 and m.id = $2 and m.reply_to_id is null`);

const link = statement(`
  update messages set reply_to_id = $3 where workspace_id = $1 and id = $2 and reply_to_id is null and id <> $3`);

/** Answers whether nothing is left to do: the message is linked, or gone. */
async function isLinked(tx: Transaction, { workspace_id, message_id }: MessageRef): Promise<boolean> {
  const [unlinked] = await selectUnlinked(tx, [workspace_id, message_id]);
  if (!unlinked) return true;
  const { quoted_platform_id, contact_id, ...message } = unlinked;
  if (quoted_platform_id === null || contact_id === null) return true;
  const found = await findQuoted(tx, [{ ...message, contact_id, quoted_platform_id, platform_message_id: '' }]);
  if (!found.has(0)) return false;
  await link(tx, [workspace_id, message_id, found.get(0)]);
  return true;
}

/** Looks again for the message that another one quotes. It says nothing where the message stays unknown. */
export function linkQuoteHandler({ pool, clock }: Resources): JobHandler {
  return sharePlacesOfHandler(pool, {
    kind: linkQuote,
    concurrency: 8,
    group_concurrency: 2,
    async run(job) {
      const ref = readLinkRef(job.payload);
      if (await separateTransaction(pool, ref.workspace_id, (tx) => isLinked(tx, ref))) return { type: 'done' };
      const delay = retryDelaysSeconds[ref.tries + 1];
      if (delay === undefined) return { type: 'done' };
      const payload = JSON.stringify({ ...ref, tries: ref.tries + 1 } satisfies LinkRef);
      return { type: 'retry', run_at: new Date(clock.nowMs() + delay * 1000), payload };
    },
  });
}

/** A message that was stored just now, which earlier ones of its contact may quote. */
interface QuotedMessage {
  id: string;
  workspace_id: string;
  channel_id: string;
  contact_id: string;
  platform_message_id: string;
}

// Nearly all quotes are of the last days. The bound keeps the import of a long thread from reading all of it for each part.
const nextMessages = 5_000;

// The history of the phone app comes newest first, so most of its quotes come before what they quote.
const linkEarlier = statement(`
  with quoted as (
    select *, platform_message_token(platform_message_id) as token from json_to_recordset($1) as q
      (id uuid, workspace_id uuid, channel_id uuid, contact_id uuid, platform_message_id text)
  ), quoting as materialized (
    select m.workspace_id, m.id, p.channel_id, p.contact_id, m.named, platform_message_token(m.named) as token
    from (select workspace_id, channel_id, contact_id, min(id::text)::uuid as oldest from quoted group by 1, 2, 3) p
    join conversations c on c.workspace_id = p.workspace_id and c.contact_id = p.contact_id and c.channel_id = p.channel_id
    cross join lateral (
      select o.workspace_id, o.id, o.reply_to_id, ${quotedId('o')} as named from messages o
      where o.workspace_id = c.workspace_id and o.conversation_id = c.id and o.id >= p.oldest order by o.id limit ${nextMessages}
    ) m
    where m.reply_to_id is null and m.named is not null
  ), linked as (
    select distinct on (g.workspace_id, g.id) g.workspace_id, g.id, q.id as reply_to_id from quoting g
    join quoted q on q.workspace_id = g.workspace_id and q.channel_id = g.channel_id and q.contact_id = g.contact_id
      and (q.platform_message_id = g.named or q.token = g.token) and q.id <> g.id
    order by g.workspace_id, g.id, q.platform_message_id = g.named desc
  )
  update messages m set reply_to_id = l.reply_to_id from linked l where m.workspace_id = l.workspace_id and m.id = l.id`);

/** Links the stored messages that quote these ones. */
export async function linkToImported(tx: Transaction, messages: readonly QuotedMessage[]): Promise<void> {
  if (messages.length === 0) return;
  const rows = messages.map(({ id, workspace_id, channel_id, contact_id, platform_message_id }) => {
    return { id, workspace_id, channel_id, contact_id, platform_message_id };
  });
  await linkEarlier(tx, [JSON.stringify(rows)]);
}
