import { readFile } from 'node:fs/promises';
import { text as readText } from 'node:stream/consumers';
import type { ContactUpsert } from '@majlis/sdk';
import { Failure } from '../failure.ts';
import { cannotRead } from '../read-data.ts';
import { parseCsv } from './parse-csv.ts';

/** A row, and where it stands in the file for the person who mends it. */
export interface ImportedRow {
  place: string;
  contact: ContactUpsert;
}

/** The columns of CSV. `custom_fields.KEY` is one more for each custom field. */
const columns = ['phone', 'name', 'email', 'language', 'vip', 'tags', 'stage_id', 'marketing'];
const customField = 'custom_fields.';

/** Reads contacts as CSV with a head, as a JSON array, or as JSON with an object a line. `-` is stdin. */
export async function readRows(file: string): Promise<ImportedRow[]> {
  const text =
    file === '-'
      ? await readText(process.stdin)
      : await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
          throw cannotRead(file, error);
        });
  const start = text.trimStart()[0];
  if (start === '[') return parseJson(text, file).map((contact, at) => ({ place: `entry ${at + 1}`, contact }));
  if (start === '{') {
    return text.split('\n').flatMap((line, at) => {
      const place = `line ${at + 1}`;
      return line.trim() === '' ? [] : [{ place, contact: parseJson(line, `${file}, ${place},`) }];
    });
  }
  return readTable(text, file);
}

function parseJson<Value extends ContactUpsert & ContactUpsert[]>(text: string, where: string): Value {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Failure('usage', `${where} is no JSON: ${(error as Error).message}`);
  }
}

function readTable(text: string, file: string): ImportedRow[] {
  const rows = parseCsv(text);
  if (!rows) throw new Failure('usage', `${file} is no CSV: a field in quotes does not end.`);
  const [head = [], ...rest] = rows;
  const names = head.map((name) => name.trim().toLowerCase());
  const unknown = names.find((name) => !columns.includes(name) && !name.startsWith(customField));
  if (unknown !== undefined || !names.includes('phone')) {
    const fault = unknown === undefined ? 'lacks the column phone' : `has the column ${JSON.stringify(unknown)}`;
    throw new Failure('usage', `${file} ${fault}: the columns are ${columns.join(', ')} and ${customField}KEY.`);
  }
  return rest.map((row, at) => ({
    place: `row ${at + 2}`,
    contact: toContact(new Map(row.map((value, column) => [head[column]?.trim() ?? '', value.trim()]))),
  }));
}

/** An empty cell leaves what is stored as it is. */
function toContact(cells: Map<string, string>): ContactUpsert {
  const cell = (name: string) => [...cells].find(([column]) => column.toLowerCase() === name)?.[1] || undefined;
  const [vip, tags, marketing] = [cell('vip'), cell('tags'), cell('marketing')];
  const custom = [...cells].filter(([name, value]) => name.toLowerCase().startsWith(customField) && value !== '');
  return {
    identities: [{ channel_type: 'chatapp', identifier: cell('phone') ?? '' }],
    ...pick({ name: cell('name'), email: cell('email'), language: cell('language'), stage_id: cell('stage_id') }),
    ...(vip !== undefined && { vip: isYes(vip) }),
    ...(tags !== undefined && { tags: tags.split(';').map((tag) => tag.trim()) }),
    ...(marketing !== undefined && { consents: { chatapp_marketing: isYes(marketing) } }),
    ...(custom.length > 0 && {
      custom_fields: Object.fromEntries(custom.map(([name, value]) => [name.slice(customField.length), value])),
    }),
  };
}

function pick<Members extends object>(members: Members): Partial<Members> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<Members>;
}

function isYes(text: string): boolean {
  return /^(true|yes|1)$/i.test(text);
}
