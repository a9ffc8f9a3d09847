import type { Connection } from '../../database/pool.ts';
import { listMessages } from '../../messages/list-messages.ts';

/** One message of the customer or of the business. */
export interface TranscriptLine {
  id: string;
  from: 'customer' | 'business';
  text: string;
}

const maxLineChars = 2_000;
// Together with the passages, it must fit into the context of small models.
const maxTranscriptChars = 16_000;

/** The latest lines of a conversation, oldest first. Without notes, which are for the team alone. */
export async function readTranscript(
  connection: Connection,
  workspace_id: string,
  conversation_id: string,
  count: number,
): Promise<TranscriptLine[]> {
  const rows = await listMessages(connection, workspace_id, conversation_id, { before: undefined, count });
  const lines = rows
    .filter(({ kind, deleted_at }) => kind !== 'note' && kind !== 'reaction' && !deleted_at)
    .reverse()
    .map(
      ({ id, direction, kind, body }): TranscriptLine => ({
        id,
        from: direction === 'inbound' ? 'customer' : 'business',
        text: body?.trim() ? body.slice(0, maxLineChars).toWellFormed() : `[${kind}]`,
      }),
    );
  return takeLatest(lines);
}

/** The last lines that fit into `maxTranscriptChars`. */
function takeLatest(lines: TranscriptLine[]): TranscriptLine[] {
  let chars = 0;
  const from = lines.findLastIndex(({ text }) => {
    chars += text.length;
    return chars > maxTranscriptChars;
  });
  return lines.slice(from + 1);
}

/** The lines of the customer since the last line of the business, or the last line of the customer. */
export function unansweredLines(lines: readonly TranscriptLine[]): TranscriptLine[] {
  const last = lines.findLastIndex(({ from }) => from === 'business');
  const since = lines.slice(last + 1);
  return since.length > 0 ? since : lines.filter(({ from }) => from === 'customer').slice(-1);
}

export function joinLines(lines: readonly TranscriptLine[]): string {
  return lines.map(({ text }) => text).join('\n');
}

/** Whether more than half of the letters are Arabic. */
export function isArabic(text: string): boolean {
  const arabic = text.match(/\p{Script=Arabic}/gu)?.length ?? 0;
  return arabic * 2 > (text.match(/\p{L}/gu)?.length ?? 0);
}
