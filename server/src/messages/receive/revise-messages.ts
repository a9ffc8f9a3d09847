import { applyConsentWords, type WrittenText } from '../../contacts/consents/apply-consent-words.ts';
import { newId } from '../../database/ids.ts';
import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { JsonObject } from '../../platform/json-object.ts';
import { readText } from '../../platform/read-json.ts';
import type { Clock } from '../../process/clock.ts';
import { historyId, importedFromPhone } from '../history/history-id.ts';
import { insertMessages } from '../queries.ts';
import { indexAgain } from '../search/index-again.ts';
import { indexMessage } from '../search/index-message.ts';
import { findByToken } from './find-by-token.ts';

/** The platform's report that the author of a message edited or deleted it. It is no message. */
export interface Revision {
  workspace_id: string;
  channel_id: string;
  /** The platform's ids of the customer. */
  wa_id?: string | undefined;
  user_id?: string | undefined;
  /** Only the author revises: the customer an inbound message, the business an outbound one. */
  direction: 'inbound' | 'outbound';
  /** The platform's id of the revised message. */
  platform_message_id: string;
  /** The platform's time, in milliseconds since 1970. */
  at_ms: number;
  /** The new text of an edited message; null for a deleted one. */
  body: string | null;
  by_platform_agent?: true;
  /** The history of the phone app tells it. */
  is_imported?: true;
  /** The words by which a customer's new text withdraws the consent to marketing. Absent where no text does. */
  stop_words?: string[];
  /** The report as it came. */
  raw: JsonObject;
}

/** Of whom a text is, and what kind of message it is. Without a contact, they were erased. */
interface Author extends Pick<WrittenText, 'channel_type' | 'kind'> {
  contact_id: string | null;
}

const byPlatformId = `m.workspace_id = $1 and m.channel_id = $2 and m.platform_message_id = $3 and m.direction = $4`;
const belongsTo = `exists (
    select from contact_identities i where i.workspace_id = c.workspace_id and i.contact_id = c.contact_id
      and i.channel_type = c.channel_type and (i.wa_id = $5 or i.user_id = $6))`;
const lock = statement<Author & { id: string; is_current: boolean }>(`
  select m.id, m.kind, c.contact_id, c.channel_type,
    m.deleted_at is null and ($7::text is null or m.edited_at is null or m.edited_at <= $8) as is_current
  from messages m join conversations c on c.workspace_id = m.workspace_id and c.id = m.conversation_id
  where ${byPlatformId} and ${belongsTo} for no key update of m`);
const edit = statement(`
  update messages set body = $3, edited_at = $4, content = (coalesce(content::jsonb, '{}') || jsonb_build_object('edit', $5::jsonb))::json
  where workspace_id = $1 and id = $2`);
// The content keeps the platform's report, as the evidence of what was written. No reader of messages shows it.
const remove = statement(`
  update messages set body = null, media_id = null, filename = null, mime = null, size_bytes = null, deleted_at = $3
  where workspace_id = $1 and id = $2`);

/**
 * Applies edits and deletions to the messages that they name, in order. A new text may withdraw the consent to marketing. Nothing
 * else follows: no event, no count, no run. Returns those whose message is unknown.
 */
export async function reviseMessages(
  tx: Transaction,
  clock: Clock,
  revisions: readonly Revision[],
): Promise<Revision[]> {
  const unknown: Revision[] = [];
  for (const revision of revisions) if (!(await revise(tx, clock, revision))) unknown.push(revision);
  return unknown;
}

async function revise(tx: Transaction, clock: Clock, revision: Revision): Promise<boolean> {
  const target = (await lockTarget(tx, revision)) ?? (await lockByToken(tx, revision));
  if (!target) return false;
  if (!target.is_current) return true;
  const { id, contact_id, channel_type, kind } = target;
  const { workspace_id, body, raw } = revision;
  const at = new Date(revision.at_ms);
  if (body === null) await remove(tx, [workspace_id, id, at]);
  else await edit(tx, [workspace_id, id, body, at, JSON.stringify(raw)]);
  await indexMessage(tx, workspace_id, id);
  await withdrawConsent(tx, clock, revision, { message_id: id, contact_id, channel_type, kind });
  return true;
}

/** Who changes a text into "stop" wants to stop. A grant takes a message of its own. */
async function withdrawConsent(
  tx: Transaction,
  clock: Clock,
  { workspace_id, body, at_ms, stop_words }: Revision,
  { contact_id, ...origin }: Author & { message_id: string },
): Promise<void> {
  if (!stop_words || contact_id === null) return;
  const words = { stop_words, start_words: [] };
  await applyConsentWords(tx, clock, [{ workspace_id, contact_id, ...origin, body, at: new Date(at_ms), words }]);
}

async function lockTarget(tx: Transaction, revision: Revision, platform_message_id = revision.platform_message_id) {
  const { workspace_id, channel_id, direction, wa_id = null, user_id = null, body, at_ms } = revision;
  const names = [workspace_id, channel_id, platform_message_id, direction, wa_id, user_id];
  return (await lock(tx, [...names, body, new Date(at_ms)]))[0];
}

async function lockByToken(tx: Transaction, revision: Revision) {
  const [found] = await findByToken(tx, [revision]);
  return found && lockTarget(tx, revision, found.platform_message_id!);
}

const selectConversation = statement<{ id: string } & Omit<Author, 'kind'>>(`
  select c.id, c.contact_id, c.channel_type from contact_identities i
  join channels ch on ch.workspace_id = i.workspace_id and ch.id = $2 and ch.type = i.channel_type
  join conversations c on c.workspace_id = i.workspace_id and c.contact_id = i.contact_id and c.channel_id = ch.id
  where i.workspace_id = $1 and (i.wa_id = $3 or i.user_id = $4)
  order by c.last_message_at desc, c.id desc limit 1`);

/**
 * Keeps the text of an edit whose message stays unknown, as a line of the conversation, so that no words are lost. A report that is told
 * twice leaves one line. One of the phone app's history stands at its own time, as other imported messages do.
 */
export async function keepLateEdit(tx: Transaction, clock: Clock, revision: Revision): Promise<void> {
  const { workspace_id, channel_id, direction, body, wa_id = null, user_id = null, by_platform_agent, raw } = revision;
  if (body === null) return;
  const [conversation] = await selectConversation(tx, [workspace_id, channel_id, wa_id, user_id]);
  if (!conversation) return;
  const { imported, ...line } = revision.is_imported ? pastLine(clock, revision) : newLine(clock, revision);
  const stored = await insertMessages(tx, [
    {
      ...line,
      platform_message_id: readText(raw.id),
      ...{ workspace_id, conversation_id: conversation.id, channel_id, direction, kind: 'text' },
      ...{ body: `[edit] ${body}`.trim(), actor_id: null, reply_to_id: null, recipient: null },
      actor_kind: direction === 'inbound' ? 'contact' : null,
      content: { raw, by_platform_agent, imported },
    },
  ]);
  if (!stored.has(line.id)) return;
  if (imported) await indexAgain(tx, workspace_id, line.id);
  const { contact_id, channel_type } = conversation;
  await withdrawConsent(tx, clock, revision, { message_id: line.id, contact_id, channel_type, kind: 'text' });
}

function newLine(clock: Clock, { direction }: Revision) {
  const status = direction === 'inbound' ? null : 'sent';
  return { id: newId(clock), status, created_at: clock.now(), imported: undefined };
}

function pastLine(clock: Clock, { workspace_id, channel_id, at_ms, raw }: Revision) {
  const at = new Date(Math.min(at_ms, clock.nowMs()));
  const report = readText(raw.id) ?? newId(clock);
  const id = historyId(`edit ${workspace_id} ${channel_id} ${report}`, { number: 0, at });
  return { id, status: null, created_at: at, imported: importedFromPhone(clock.now()) };
}
