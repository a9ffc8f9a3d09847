import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { searchPage } from './search-page.ts';

/** A list of whole numbers, greatest first, searched for those that are meant. */
let list: number[];
let isMeant: (row: number) => boolean;
/** What was asked, in order. */
let asked: string[];
/** Of each search, whether it was said to be quick. */
let quick: boolean[];

/** Rows of a week; the first is of the fortieth unless a test says otherwise. */
let ofWeek: number;
const weekOf = (row: number) => Math.ceil(row / ofWeek);

let names = 0;
let name: string;

beforeEach(() => {
  list = Array.from({ length: 20_000 }, (_, n) => 20_000 - n);
  ofWeek = 500;
  asked = [];
  quick = [];
  name = `search ${names++}`;
});

async function search(after: number | undefined, count = 5): Promise<number[]> {
  const behind = (from: number | undefined) => list.filter((row) => from === undefined || row < from);
  const rowsOf = (numbers: number[]) => numbers.map((id) => ({ id }));
  const rows = await searchPage<{ id: number }, number>(
    { after, count },
    {
      name,
      ways({ isQuick }) {
        quick.push(isQuick);
        return {
          async walk(part, { steps = Infinity, until = 0 } = {}) {
            asked.push(until ? `walk to ${until}` : `walk ${steps}`);
            const walked = behind(part.after).slice(0, steps);
            return rowsOf(walked.filter((row) => row >= until && isMeant(row)).slice(0, part.count));
          },
          async match(part, { most, weeks }) {
            asked.push(`match ${weeks ?? 'all'}`);
            const begun = weekOf(part.after ?? list[0]!);
            const found = list.filter((row) => isMeant(row) && (!weeks || weekOf(row) > begun - weeks));
            const matches = behind(part.after).filter((row) => found.includes(row));
            const hits = found.length;
            if (hits > most || matches.length === 0) return [{ id: null, weeks: null, hits }];
            return matches.slice(0, part.count).map((id) => ({ id, weeks: begun - weekOf(id) + 1, hits }));
          },
          positionOf: ({ id }) => id,
        };
      },
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
    isMeant = (row) => row % 20 === 0;
    assert.deepEqual(await ask(25), [['walk 250', 'walk 1500'], ['walk 8000']]);
    // Of a longer page they are not enough.
    assert.deepEqual((await ask(40))[0], ['walk 250', 'match all']);
    name = 'too few';
    isMeant = (row) => row % 30 === 0;
    assert.deepEqual((await ask(10))[0], ['walk 250', 'match all']);
    name = 'fewer than the latest promised';
    isMeant = (row) => row % (row > 19_750 ? 20 : 400) === 0;
    assert.deepEqual(await ask(25), [['walk 250', 'walk 1500', 'match all'], ['match all']]);
  });

  it('asks the index for what is rare, and of the next page nothing else', async () => {
    isMeant = (row) => row % 2_000 === 0;
    assert.deepEqual(await ask(), [['walk 250', 'match all'], ['match all']]);
  });

  it('asks again for those weeks alone that fill the page, where all were many', async () => {
    // Four in each of the latest weeks, 25 in those before.
    const isOften = (row: number) => (row <= 10_000 ? row % 20 === 0 : row % 125 === 120);
    isMeant = isOften;
    assert.deepEqual(await ask(6), [['walk 250', 'match all'], ['match 2']]);
    assert.deepEqual(await ask(6), [['match 2'], ['match 2']]);
    name = 'more weeks';
    assert.deepEqual((await ask(64))[0], ['walk 250', 'match all']);
    assert.deepEqual((await ask(64))[0], ['match 16']);
    name = 'too many weeks';
    await ask(65);
    assert.deepEqual((await ask(65))[0], ['match all']);
    name = 'all are few enough';
    isMeant = (row) => row > 10_000 && row < 19_750 && row % 40 === 0;
    assert.deepEqual(await ask(6), [['walk 250', 'match all'], ['match all']]);
  });

  it('asks for one week more where they leave room, as a page may begin on any day, and then for all', async () => {
    isMeant = (row) => row < 19_750 && row % 50 === 7;
    assert.deepEqual(await ask(), [
      ['walk 250', 'match all'],
      ['match 1', 'match 2'],
    ]);
    // A week has begun that had no day yet.
    list.unshift(20_001);
    assert.deepEqual(await ask(), [['match 1', 'match 2'], ['match 2']]);
    // They are fewer now.
    isMeant = (row) => row < 19_250 && row % 50 === 7;
    assert.deepEqual((await ask())[0], ['match 2', 'match 3']);
    isMeant = (row) => row < 10_000 && row % 20 === 7;
    assert.deepEqual(await ask(), [['match 3', 'match 4', 'match all'], ['match all']]);
    assert.deepEqual(await ask(), [['match all'], ['match all']]);
    name = 'a gap behind the first page';
    isMeant = (row) => row % (row > 19_500 ? 50 : 20) === 7 && !(row > 10_000 && row < 19_500);
    assert.deepEqual(await ask(6), [
      ['walk 250', 'match all'],
      ['match 2', 'match 3', 'match all'],
    ]);
    assert.deepEqual((await ask(6))[0], ['match 2']);
  });

  it('asks for few weeks where all are too many, and for more, before it walks to the end', async () => {
    const many = (row: number) => row < 10_000;
    isMeant = (row) => many(row) || (row < 19_750 && row % 50 === 7);
    assert.deepEqual(await ask(12), [['walk 250', 'match all', 'match 4'], ['match 2']]);
    isMeant = many;
    assert.deepEqual(await ask(12), [
      ['match 2', 'match 3', 'match all', 'match 4', 'match 16', 'walk Infinity'],
      ['walk 8000'],
    ]);
    name = 'more weeks';
    isMeant = (row) => many(row) || (row < 16_000 && row % 50 === 7);
    assert.deepEqual(await ask(12), [['walk 250', 'match all', 'match 4', 'match 16'], ['match 10']]);
  });

  it('walks where a week has many, once that is known, unless the walk is long', async () => {
    ofWeek = 20_000;
    isMeant = (row) => row % 60 === 0;
    assert.deepEqual(await ask(20), [['walk 250', 'match all'], ['match 1']]);
    assert.deepEqual(await ask(20), [['match 1', 'walk 1332'], ['walk 8000']]);
    assert.deepEqual(await ask(20), [['walk to 18840'], ['walk 8000']]);
    assert.deepEqual(await ask(25), [['walk 250', 'match all'], ['match 1']]);
    assert.deepEqual(await ask(25), [['match 1', 'walk 1332'], ['match 1']]);
    assert.deepEqual(await ask(25), [['match 1'], ['match 1']]);
  });

  it('takes the way of the first page, whatever would be shorter for one further back', async () => {
    ofWeek = 5_000;
    isMeant = (row) => row % (row > 15_000 ? 500 : 15) === 0;
    const further = ['match 1', 'match 2'];
    assert.deepEqual(await ask(9), [['walk 250', 'match all'], further]);
    assert.deepEqual(await ask(9), [['match 1'], further]);
  });

  it('looks at the latest again after a thousand pages, and goes on as before where what is meant is rare still', async () => {
    list.length = 2_000;
    isMeant = (row) => row % 2_000 === 0;
    await search(undefined);
    isMeant = (row) => row % 4 === 0;
    for (let page = 1; page < 1_000; page++) await search(undefined);
    assert.deepEqual(asked.splice(0).at(-1), 'match 1');
    isMeant = (row) => row % 60 === 0;
    await search(19_900);
    assert.deepEqual(asked.splice(0), ['match 1']);
    await search(undefined);
    assert.deepEqual(asked.splice(0), ['walk 250', 'match 1']);
    for (let page = 1; page < 1_000; page++) await search(undefined);
    assert.deepEqual(asked.splice(0).at(-1), 'match 1');
    isMeant = (row) => row % 4 === 0;
    await search(undefined);
    assert.deepEqual(asked.splice(0), ['walk 250']);
    isMeant = (row) => row < 19_500 && row % 2 === 0;
    for (let page = 1; page < 1_000; page++) await search(undefined);
    assert.deepEqual(asked.splice(0).at(-1), 'walk to 19490');
    await search(undefined);
    assert.deepEqual(asked, ['walk 250', 'match all']);
  });

  it('says of a search that was quick that it is, until it takes long', async (t) => {
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    isMeant = () => {
      now += took / list.length;
      return false;
    };
    let took = 1;
    await search(undefined);
    await search(undefined);
    took = 130;
    await search(undefined);
    await search(undefined);
    assert.deepEqual(quick, [false, true, true, false]);
  });

  it('finds nothing where nothing is', async () => {
    isMeant = () => false;
    assert.deepEqual(await search(undefined), []);
    assert.deepEqual(asked, ['walk 250', 'match all']);
  });

  it('walks as far as it takes where the index finds too many, and tries no index for the next page', async () => {
    isMeant = (row) => row < 11_000 && row % 2 === 0;
    assert.deepEqual(await ask(), [['walk 250', 'match all', 'match 4', 'match 16', 'walk Infinity'], ['walk 8000']]);
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
    assert.deepEqual(asked.splice(0), ['walk 250', 'walk 1500']);
    assert.deepEqual(await ask(), [['walk to 19960'], ['walk 8000']]);
  });

  it('finds all the same when the list has changed since', async () => {
    isMeant = (row) => row % 2_000 === 0;
    await ask();
    isMeant = (row) => row % 4 === 0;
    assert.deepEqual(await ask(), [['match all', 'match 4'], ['match 1']]);
    isMeant = (row) => row % 2_000 === 0;
    assert.deepEqual(await ask(), [['match 1', 'match 2', 'match all'], ['match all']]);
    name = 'what a walk found';
    isMeant = (row) => row % 4 === 0;
    await ask();
    isMeant = (row) => row % 8 === 0;
    assert.deepEqual(await ask(), [['walk to 19984', 'walk 8000'], ['walk 8000']]);
    isMeant = (row) => row % 2_000 === 0;
    assert.deepEqual(await ask(), [['walk to 19968', 'walk 8000', 'match all'], ['match all']]);
  });
});
