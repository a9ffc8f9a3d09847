import type { Dict } from '../world/message.ts';

import { invalidParameter, missingParameter, tooLong } from './graph-error.ts';
import { isRecord } from './is-record.ts';

/** Reply buttons and lists within the limits of section 1.2; the other interactive types are refused with 131009. */
export function checkInteractive(interactive: Dict): void {
  const { type, header, body, footer, action } = interactive;
  if (type === undefined) throw missingParameter("interactive['type']");
  if (type !== 'button' && type !== 'list') throw invalidParameter("interactive['type']");
  if (!isRecord(action)) throw missingParameter("interactive['action']");
  if (!isRecord(body)) throw missingParameter("interactive['body']");
  requireText(body.text, "interactive['body']['text']", type === 'button' ? 1024 : 4096);
  if (header !== undefined) checkHeader(header, type);
  if (footer !== undefined)
    requireText(isRecord(footer) ? footer.text : undefined, "interactive['footer']['text']", 60);
  if (type === 'button') checkButtons(action);
  else checkList(action);
}

function checkHeader(header: unknown, type: 'button' | 'list'): void {
  if (!isRecord(header) || typeof header.type !== 'string') throw missingParameter("interactive['header']['type']");
  if (header.type === 'text') {
    requireText(header.text, "interactive['header']['text']", 60);
    return;
  }
  if (type === 'list' || !['image', 'video', 'document'].includes(header.type)) {
    throw invalidParameter("interactive['header']['type']");
  }
  const media = header[header.type];
  if (!isRecord(media) || (media.id === undefined && media.link === undefined)) {
    throw missingParameter(`interactive['header']['${header.type}']`);
  }
}

function checkButtons({ buttons }: Dict): void {
  const path = "interactive['action']['buttons']";
  if (!Array.isArray(buttons)) throw missingParameter(path);
  if (buttons.length < 1 || buttons.length > 3) throw invalidParameter(path, 'must hold 1 to 3 buttons');
  for (const [index, button] of buttons.entries()) {
    const at = `${path}[${index}]`;
    if (!isRecord(button) || button.type !== 'reply') throw invalidParameter(`${at}['type']`);
    if (!isRecord(button.reply)) throw missingParameter(`${at}['reply']`);
    requireText(button.reply.title, `${at}['reply']['title']`, 20);
    const id = requireText(button.reply.id, `${at}['reply']['id']`, 256);
    if (id !== id.trim()) throw invalidParameter(`${at}['reply']['id']`, 'must not begin or end with a space');
  }
  requireUnique(
    buttons.map((button) => button.reply.id),
    path,
    'ids',
  );
  requireUnique(
    buttons.map((button) => button.reply.title),
    path,
    'titles',
  );
}

function checkList({ button, sections }: Dict): void {
  requireText(button, "interactive['action']['button']", 20);
  const path = "interactive['action']['sections']";
  if (!Array.isArray(sections)) throw missingParameter(path);
  if (sections.length < 1 || sections.length > 10) throw invalidParameter(path, 'must hold 1 to 10 sections');
  const ids: unknown[] = [];
  for (const [index, section] of sections.entries()) {
    const at = `${path}[${index}]`;
    if (!isRecord(section)) throw invalidParameter(at);
    if (sections.length > 1 || section.title !== undefined) requireText(section.title, `${at}['title']`, 24);
    if (!Array.isArray(section.rows) || section.rows.length === 0) throw missingParameter(`${at}['rows']`);
    for (const [place, row] of section.rows.entries()) ids.push(checkRow(row, `${at}['rows'][${place}]`));
  }
  if (ids.length > 10) throw invalidParameter(path, 'must hold at most 10 rows in total');
  requireUnique(ids, path, 'row ids');
}

function checkRow(row: unknown, at: string): string {
  if (!isRecord(row)) throw invalidParameter(at);
  requireText(row.title, `${at}['title']`, 24);
  if (row.description !== undefined && row.description !== '') {
    requireText(row.description, `${at}['description']`, 72);
  }
  return requireText(row.id, `${at}['id']`, 200);
}

function requireText(value: unknown, path: string, limit: number): string {
  if (value === undefined || value === null || value === '') throw missingParameter(path);
  if (typeof value !== 'string') throw invalidParameter(path, 'must be a string');
  if (value.length > limit) throw tooLong(path, limit);
  return value;
}

function requireUnique(values: unknown[], path: string, what: string): void {
  if (new Set(values).size !== values.length) throw invalidParameter(path, `must have unique ${what}`);
}
