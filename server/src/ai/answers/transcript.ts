import type { Connection } from '../../database/pool.ts';
import { listMessages } from '../../messages/list-messages.ts';

/** What was said, by whom: the customer, or the business in whatever form. */
export interface Line {
  id: string;
  from: 'customer' | 'business';
  text: string;
}

const mostLetters = 2_000;
// With the passages it has to fit into what small models take.
const mostLettersOfAll = 16_000;

/** The latest lines of a conversation, oldest first, without notes: those are for the team alone. */
export async function readTranscript(
  connection: Connection,
  workspace_id: string,
  conversation_id: string,
  count: number,
): Promise<Line[]> {
  const rows = await listMessages(connection, workspace_id, conversation_id, { before: undefined, count });
  const lines = rows
    .filter(({ kind }) => kind !== 'note' && kind !== 'reaction')
    .reverse()
    .map(
      ({ id, direction, kind, body }): Line => ({
        id,
        from: direction === 'inbound' ? 'customer' : 'business',
        text: body?.trim() ? body.slice(0, mostLetters).toWellFormed() : `[${kind}]`,
      }),
    );
  return latest(lines);
}

/** The last lines, as many as fit. */
function latest(lines: Line[]): Line[] {
  let letters = 0;
  const from = lines.findLastIndex(({ text }) => {
    letters += text.length;
    return letters > mostLettersOfAll;
  });
  return lines.slice(from + 1);
}

/** What the customer wrote since the business last did; else the last that the customer wrote. */
export function unansweredLines(lines: readonly Line[]): Line[] {
  const last = lines.findLastIndex(({ from }) => from === 'business');
  const since = lines.slice(last + 1);
  return since.length > 0 ? since : lines.filter(({ from }) => from === 'customer').slice(-1);
}

export function textOf(lines: readonly Line[]): string {
  return lines.map(({ text }) => text).join('\n');
}

/** Whether a text is Arabic: more of its letters than not. */
export function isArabic(text: string): boolean {
  const arabic = text.match(/\p{Script=Arabic}/gu)?.length ?? 0;
  return arabic * 2 > (text.match(/\p{L}/gu)?.length ?? 0);
}
