import type { ContactImportResult, ContactUpsert } from '@majlis/contract';
import { Failure, request } from '../../live/request.ts';

/** A row of the file that becomes a contact. `line` is its place in the file, from 0, without the header. */
export interface ImportRow {
  line: number;
  contact: ContactUpsert;
}

export interface ImportCounts {
  done: number;
  created: number;
  updated: number;
  /** Lines that the service refused, with its codes. */
  refused: { line: number; code: string }[];
}

export const nothingDone: ImportCounts = { done: 0, created: 0, updated: 0, refused: [] };

const mostRows = 1_000;
// Below the limit of a request of the console.
const mostBytes = 200_000;
const partMs = 120_000;
const mostTries = 5;
const betweenTriesMs = 2_000;

/** Tries the rows part by part; nothing is stored. */
export async function tryImport(
  path: string,
  rows: readonly ImportRow[],
  { signal, onProgress }: { signal: AbortSignal; onProgress: (counts: ImportCounts) => void },
): Promise<ImportCounts> {
  let counts = nothingDone;
  for (const part of partsOf(rows, ({ contact }) => contact)) {
    if (signal.aborted) break;
    const body = { contacts: part.map(({ contact }) => contact) };
    const { created, updated, failed } = await send<ContactImportResult>(path, body);
    counts = {
      done: counts.done + part.length,
      created: counts.created + created,
      updated: counts.updated + updated,
      refused: [...counts.refused, ...failed.map(({ index, code }) => ({ line: part[index]!.line, code }))],
    };
    onProgress(counts);
  }
  return counts;
}

/** Parts that a request can carry. */
export function* partsOf<Item>(items: readonly Item[], sentOf: (item: Item) => unknown): Generator<Item[]> {
  const encoder = new TextEncoder();
  let part: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = encoder.encode(JSON.stringify(sentOf(item))).length + 1;
    if (part.length > 0 && (part.length === mostRows || bytes + size > mostBytes)) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(item);
    bytes += size;
  }
  if (part.length > 0) yield part;
}

/** Sends a part that may be sent twice. It waits for the limit of requests, and for a connection that is away for a while. */
export async function send<Reply>(path: string, body: unknown): Promise<Reply> {
  for (let tries = 1; ; tries++) {
    try {
      return await request<Reply>('POST', path, body, { timeout_ms: partMs });
    } catch (error) {
      const isLimited = error instanceof Failure && error.code === 'rate_limited';
      const isAway = error instanceof Failure && ['network', 'service_unavailable'].includes(error.code);
      if (!isLimited && !(isAway && tries < mostTries)) throw error;
      await new Promise((resolve) =>
        setTimeout(resolve, isLimited ? error.retry_after_seconds * 1000 : betweenTriesMs),
      );
    }
  }
}
