import type { Dict } from '../world/message.ts';
import { GraphError } from './graph-error.ts';

export type PageQuery = { limit?: string; after?: string; before?: string };

const defaultLimit = 25;

/** One page with cursors (section 0). A cursor encodes the index of an item. */
export function pageList(items: Dict[], query: PageQuery, address: string): Dict {
  const limit = Math.max(1, Math.min(Number(query.limit ?? defaultLimit) || defaultLimit, 1_000));
  const start = query.after !== undefined ? placeOf(query.after, items) + 1 : startBefore(query, items, limit);
  const end = query.before !== undefined && query.after === undefined ? placeOf(query.before, items) : start + limit;
  const data = items.slice(start, Math.min(end, start + limit));
  if (data.length === 0) return { data };
  const last = start + data.length - 1;
  const cursors = { before: cursorOf(start), after: cursorOf(last) };
  if (last >= items.length - 1) return { data, paging: { cursors } };
  const next = new URL(address);
  next.searchParams.delete('before');
  next.searchParams.set('after', cursors.after);
  return { data, paging: { cursors, next: next.href } };
}

function startBefore(query: PageQuery, items: Dict[], limit: number): number {
  return query.before === undefined ? 0 : Math.max(0, placeOf(query.before, items) - limit);
}

function cursorOf(place: number): string {
  return Buffer.from(`MAZ:${place}`).toString('base64url');
}

function placeOf(cursor: string, items: Dict[]): number {
  const place = /^MAZ:(\d+)$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  if (place === undefined || Number(place) > items.length) throw new GraphError(131059);
  return Number(place);
}

/** Selects `fields=a,b,c`, always with `id`. Parameters in brackets are ignored. */
export function pickFields(resource: Dict, fields: string | undefined, byDefault: string[]): Dict {
  const wanted = fields ? fields.split(',').map((field) => field.trim().replace(/[.({].*/, '')) : byDefault;
  const picked = wanted.filter((field) => resource[field] !== undefined).map((field) => [field, resource[field]]);
  return { ...Object.fromEntries(picked), id: resource.id };
}
