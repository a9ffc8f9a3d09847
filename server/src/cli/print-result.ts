import { styleText } from 'node:util';
import { printable, toJson } from './printable.ts';

export interface PrintOptions {
  /** As JSON. */
  json?: boolean | undefined;
  /** Only the ids, one a line. */
  quiet?: boolean | undefined;
  /** A later page of a table: the names of the columns stand above already. */
  isContinued?: boolean;
}

const longestCell = 48;

/** Prints what the service answered: for people as a table or as members, for programs as JSON or ids. */
export function printResult(result: unknown, { json = false, quiet = false, isContinued = false }: PrintOptions): void {
  if (quiet) printIds(result);
  else if (json) write(`${toJson(result ?? null, 2)}\n`);
  else if (result !== undefined) write(describe(result, isContinued));
}

/** One entry of a list that goes on, on a line of its own. */
export function printEntry(entry: unknown): void {
  write(`${toJson(entry)}\n`);
}

/** A sentence for the person at the terminal. */
export function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}

function write(text: string): void {
  process.stdout.write(text);
}

function describe(result: unknown, isContinued: boolean): string {
  const list = listOf(result);
  return list ? describeRows(list, isContinued) : describeMembers(result as object);
}

function listOf(result: unknown): unknown[] | undefined {
  if (Array.isArray(result)) return result;
  const { data } = result as { data?: unknown };
  return Array.isArray(data) ? data : undefined;
}

/** A result without an id, such as the overview of the analytics, has nothing to print. */
function printIds(result: unknown): void {
  if (result === undefined) return;
  for (const entry of listOf(result) ?? [result]) {
    const id =
      (entry as { id?: unknown; run_id?: unknown } | null)?.id ?? (entry as { run_id?: unknown } | null)?.run_id;
    if (typeof id === 'string') write(`${id}\n`);
  }
}

export function describeRows(rows: readonly unknown[], isContinued = false): string {
  if (rows.length === 0) return '';
  const names = new Set<string>();
  for (const row of rows) {
    for (const [name, value] of Object.entries(row as object)) if (isShort(value)) names.add(name);
  }
  // People look for the name first.
  const { true: first = [], false: rest = [] } = Object.groupBy(names, (name) => String(/^id$|(^|_)name$/.test(name)));
  const columns = [...first, ...rest].map((name) => {
    const cells = rows.map((row) => shorten(cellOf((row as Record<string, unknown>)[name])));
    return { name, cells, width: widest([name, ...cells]) };
  });
  const shown = fit(columns);
  const lineOf = (read: (column: (typeof columns)[number]) => string) =>
    shown
      .map((column, at) => (at === shown.length - 1 ? read(column) : pad(read(column), column.width)))
      .join('  ')
      .trimEnd();
  const lines = rows.map((_, at) => lineOf(({ cells }) => cells[at]!));
  if (!isContinued) lines.unshift(bold(lineOf(({ name }) => name)));
  return `${lines.join('\n')}\n`;
}

/** On a terminal, the columns that have room in its width. A pipe gets all. */
function fit<Column extends { width: number }>(columns: Column[]): Column[] {
  if (!process.stdout.isTTY) return columns;
  let room = process.stdout.columns;
  return columns.filter(({ width }, at) => {
    const isShown = at === 0 || width <= room;
    if (isShown) room -= width + 2;
    return isShown;
  });
}

function describeMembers(result: object): string {
  const entries = Object.entries(result);
  const width = widest(entries.map(([name]) => name));
  return entries.map(([name, value]) => `${bold(name.padEnd(width))}  ${cellOf(value)}\n`).join('');
}

function isShort(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return true;
  return Array.isArray(value) && value.length > 0 && value.every((entry) => typeof entry === 'string');
}

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'object') return printable(String(value));
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return printable(value.join(', '));
  return toJson(value);
}

function shorten(text: string): string {
  return text.length > longestCell
    ? `${text
        .slice(0, longestCell - 1)
        .toWellFormed()
        .replace(/\ufffd$/, '')}…`
    : text;
}

/** Marks of Arabic take no room of their own. */
function widthOf(text: string): number {
  return text.replace(/\p{M}|\p{Cf}/gu, '').length;
}

function widest(texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, widthOf(text)), 0);
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** Only on a terminal, and not with NO_COLOR. */
function bold(text: string): string {
  return styleText('bold', text, { stream: process.stdout });
}
