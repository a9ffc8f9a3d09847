import assert from 'node:assert/strict';
import type { Api } from './api.ts';
import type { AnyJson } from './json.ts';

export type ListQuery = Record<string, string | undefined>;

/** The ids of each page of a list. `between` runs after each page except the last. */
export async function pageThrough(
  api: Api,
  path: string,
  query: ListQuery,
  between: (page: number) => Promise<unknown> = async () => {},
): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  for (let turn = 0; turn < 10_000; turn++) {
    const given = Object.entries({ ...query, cursor }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    const { status, body, text } = await api.get(`${path}?${new URLSearchParams(given)}`);
    assert.equal(status, 200, text);
    assert.equal(body.has_more, body.next_cursor !== undefined);
    const ids: string[] = body.data.map(({ id }: AnyJson) => id);
    const last = pages.at(-1)?.at(-1);
    pages.push(ids);
    if (!body.has_more) return pages;
    assert.notEqual(ids.length, 0);
    assert.notEqual(ids.at(-1), last, 'the cursor goes on');
    cursor = body.next_cursor;
    await between(pages.length - 1);
  }
  throw new Error('the list has no last page');
}

/** Rows that did not move are seen once and in order, and no row twice. */
export function assertSeenOnce(seen: readonly string[], start: readonly string[], moved: ReadonlySet<string>): void {
  assert.equal(new Set(seen).size, seen.length);
  const still = (ids: readonly string[]) => ids.filter((id) => !moved.has(id));
  assert.deepEqual(still(seen), still(start));
}
