import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { searchPage } from './search-page.ts';

/** A list of whole numbers, greatest first, searched for those that are meant. */
let list: number[];
let isMeant: (row: number) => boolean;
/** What was asked, in order. */
let asked: string[];

let names = 0;
let name: string;

beforeEach(() => {
  list = Array.from({ length: 20_000 }, (_, n) => 20_000 - n);
  asked = [];
  name = `search ${names++}`;
});

async function search(after: number | undefined, count = 5): Promise<number[]> {
  const behind = (from: number | undefined) => list.filter((row) => from === undefined || row < from);
  const rowsOf = (numbers: number[]) => numbers.map((id) => ({ id }));
  const rows = await searchPage<{ id: number }, number>(
    { after, count },
    {
      name,
      async walk(part, { steps = Infinity, until = 0 } = {}) {
        asked.push(until ? `walk to ${until}` : `walk ${steps}`);
        const walked = behind(part.after).slice(0, steps);
        return rowsOf(walked.filter((row) => row >= until && isMeant(row)).slice(0, part.count));
      },
      async match(part, { most, of }) {
        asked.push(`match ${of}`);
        const month = (part.after ?? 20_000) - 1_000;
        const found = list.filter((row) => isMeant(row) && (of === 'all' || row > month));
        const counts = { hits: found.length, latest_hits: found.filter((row) => row > month).length };
        const matches = behind(part.after).filter((row) => found.includes(row));
        if (found.length > most || matches.length === 0) return [{ id: null, is_latest: null, ...counts }];
        return matches.slice(0, part.count).map((id) => ({ id, is_latest: id > month, ...counts }));
      },
      positionOf: ({ id }) => id,
    },
  );
  return rows.map(({ id }) => id);
}

/** What the first page and the next one ask for; both must be right. */
async function ask(count = 5): Promise<string[][]> {
  const expected = list.filter(isMeant);
  const steps = [];
  const first = await search(undefined, count);
  assert.deepEqual(first, expected.slice(0, count));
  steps.push(asked.splice(0));
  assert.deepEqual(await search(first.at(-1), count), expected.slice(count, 2 * count));
  steps.push(asked.splice(0));
  return steps;
}

describe('the search for a page', () => {
  it('finds what many have in a look, and the next page by a walk', async () => {
    isMeant = (row) => row % 10 === 0;
    assert.deepEqual(await ask(), [['walk 250'], ['walk 8000']]);
  });

  it('walks on where the look found some, from behind the last of them', async () => {
    isMeant = (row) => row % 50 === 0;
    assert.deepEqual(await ask(20), [['walk 250', 'walk 8000'], ['walk 8000']]);
  });

  it('asks the index for what is rare, and of the next page nothing else', async () => {
    isMeant = (row) => row % 2_000 === 0;
    assert.deepEqual(await ask(), [['walk 250', 'match all'], ['match all']]);
  });

  it('asks again for the latest alone where they were a part of many hits, and filled the page', async () => {
    isMeant = (row) => row % (row < 10_000 ? 20 : 100) === 7;
    assert.deepEqual(await ask(), [['walk 250', 'match all'], ['match latest']]);
    assert.deepEqual(await ask(), [['match latest'], ['match latest']]);
    name = 'a gap behind the first page';
    isMeant = (row) => row % (row < 10_000 ? 20 : 100) === 7 && !(row > 15_000 && row < 19_500);
    assert.deepEqual(await ask(), [
      ['walk 250', 'match all'],
      ['match latest', 'match all'],
    ]);
    assert.deepEqual(await ask(), [['match latest'], ['match latest', 'match all']]);
    // They are fewer now.
    isMeant = (row) => row < 10_000 && row % 20 === 7;
    assert.deepEqual(await ask(), [['match latest', 'match all'], ['match all']]);
    assert.deepEqual(await ask(), [['match all'], ['match all']]);
    name = 'half of all are of the latest';
    isMeant = (row) => row > 18_900 && row < 19_700 && row % 3 > 0;
    assert.deepEqual(await ask(), [['walk 250', 'match all'], ['match all']]);
  });

  it('finds nothing where nothing is', async () => {
    isMeant = () => false;
    assert.deepEqual(await search(undefined), []);
    assert.deepEqual(asked, ['walk 250', 'match all']);
  });

  it('walks as far as it takes where the index finds too many, and tries no index for the next page', async () => {
    isMeant = (row) => row < 15_000 && row % 2 === 0;
    assert.deepEqual(await ask(), [['walk 250', 'match all', 'walk Infinity'], ['walk 8000']]);
  });

  it('walks to where the first page ended, for whoever asks for it again', async () => {
    isMeant = (row) => row < 10_000 && row % 2 === 0;
    await ask();
    assert.deepEqual(await ask(), [['walk to 9990'], ['walk 8000']]);
    list.unshift(20_002, 20_001);
    isMeant = (row) => row === 20_002 || (row < 10_000 && row % 2 === 0);
    assert.deepEqual(await ask(), [['walk to 9990'], ['walk 8000']]);
    assert.deepEqual(await ask(), [['walk to 9992'], ['walk 8000']]);
  });

  it('knows a longer page by itself', async () => {
    isMeant = (row) => row % 10 === 0;
    await ask();
    await search(undefined, 50);
    assert.deepEqual(asked.splice(0), ['walk 250', 'walk 8000']);
    assert.deepEqual(await ask(), [['walk to 19960'], ['walk 8000']]);
  });

  it('finds all the same when the list has changed since', async () => {
    isMeant = (row) => row % 2_000 === 0;
    await ask();
    isMeant = (row) => row % 4 === 0;
    assert.deepEqual(await ask(), [['match all', 'walk Infinity'], ['walk 8000']]);
    isMeant = (row) => row % 8 === 0;
    assert.deepEqual(await ask(), [['walk to 19984', 'walk 8000'], ['walk 8000']]);
    isMeant = (row) => row % 2_000 === 0;
    assert.deepEqual(await ask(), [['walk to 19968', 'walk 8000', 'match all'], ['match all']]);
  });
});
