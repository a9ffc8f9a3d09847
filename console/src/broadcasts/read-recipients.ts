import type { BroadcastRecipient } from '@majlis/contract';
import { detectSeparator, readCsv } from '../contacts/import/read-csv.ts';

/** A pasted list or file: rows of cells, and the names of the columns where the first row has them. */
export interface RecipientTable {
  header: readonly string[] | undefined;
  rows: readonly (readonly string[])[];
  width: number;
}

/** The column of the number, and the column of each value. */
export interface RecipientColumns {
  phone: number;
  values: readonly number[];
}

const digit = /[\d\u0660-\u0669\u06f0-\u06f9]/g;

function looksLikePhone(cell: string): boolean {
  const digits = cell.match(digit)?.length ?? 0;
  return digits >= 6 && digits <= 15 && /^[+()\s.\-\d\u0660-\u0669\u06f0-\u06f9\u200e\u200f\u202a-\u202e]+$/.test(cell);
}

export function readTable(text: string): RecipientTable {
  const rows = readCsv(text, detectSeparator(text)).map((row) => row.map((cell) => cell.trim()));
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const [first] = rows;
  const hasHeader =
    first !== undefined && rows.length > 1 && !first.some(looksLikePhone) && rows[1]!.some(looksLikePhone);
  return { header: hasHeader ? first : undefined, rows: hasHeader ? rows.slice(1) : rows, width };
}

/** The first column that mostly has numbers; the values stand in the others, in their order. */
export function guessColumns({ rows, width }: RecipientTable, values: number): RecipientColumns {
  const sample = rows.slice(0, 50);
  const scores = Array.from(
    { length: width },
    (_, column) => sample.filter((row) => looksLikePhone(row[column] ?? '')).length,
  );
  const phone = Math.max(0, scores.indexOf(Math.max(0, ...scores)));
  const others = Array.from({ length: width }, (_, column) => column).filter((column) => column !== phone);
  return { phone, values: Array.from({ length: values }, (_, index) => others[index] ?? -1) };
}

/** An empty value is none: the service then says that the values do not fit. */
export function toRecipients({ rows }: RecipientTable, { phone, values }: RecipientColumns): BroadcastRecipient[] {
  return rows.map((row) => {
    const params = values.map((column) => row[column] ?? '').filter((value) => value !== '');
    return { to: row[phone] ?? '', ...(values.length > 0 && { params }) };
  });
}
