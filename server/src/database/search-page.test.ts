import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { searchPage } from './search-page.ts';

/** A list of whole numbers, greatest first, searched for those that are meant. */
let list: number[];
let isMeant: (row: number) => boolean;
/** What was asked, in order. */
let asked: string[];
/** So many rows are of the latest by the fortnight; as many as by the week, where nothing is said. */
let fortnight: number;
/** Of each search, whether it was said to be quick. */
let quick: boolean[];

let names = 0;
let name: string;

beforeEach(() => {
  list = Array.from({ length: 20_000 }, (_, n) => 20_000 - n);
  asked = [];
  quick = [];
  fortnight = 500;
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
          async match(part, { most, of }) {
            asked.push(`match ${of}`);
            const begin = part.after ?? 20_000;
            const since = { week: begin - 500, fortnight: begin - fortnight, month: begin - 1_000 };
            const found = list.filter((row) => isMeant(row) && (of === 'all' || row > since[of]));
            const countSince = (first: number) => found.filter((row) => row > first).length;
            const counts = [found.length, ...Object.values(since).map(countSince)].join(' ');
            const matches = behind(part.after).filter((row) => found.includes(row));
            if (found.length > most || matches.length === 0) return [{ id: null, latest: null, counts }];
            const latestBy = (row: number) =>
              (['week', 'fortnight', 'month'] as const).find((period) => row > since[period]) ?? null;
            return matches.slice(0, part.count).map((id) => ({ id, latest: latestBy(id), counts }));
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
    isMeant = (row) => row % 35 === 0;
    assert.deepEqual(await ask(25), [['walk 250', 'walk 8000'], ['walk 8000']]);
    // Of a longer page they are not enough.
    assert.deepEqual((await ask(40))[0], ['walk 250', 'match all']);
    name = 'too few';
    isMeant = (row) => row % 45 === 0;
    assert.deepEqual((await ask(10))[0], ['walk 250', 'match all']);
  });

  it('asks the index for what is rare, and of the next page nothing else', async () => {
    isMeant = (row) => row % 2_000 === 0;
    assert.deepEqual(await ask(), [['walk 250', 'match all'], ['match all']]);
  });

  it('asks again for the latest alone where they were a part of many hits, and filled the page', async () => {
    const isOften = (row: number) => (row < 10_000 ? row % 20 === 0 : row % 130 === 120);
    isMeant = isOften;
    assert.deepEqual(await ask(6), [['walk 250', 'match all'], ['match month']]);
    assert.deepEqual(await ask(6), [['match month'], ['match month']]);
    name = 'a gap behind the first page';
    isMeant = (row) => isOften(row) && !(row > 15_000 && row < 19_200);
    assert.deepEqual(await ask(6), [
      ['walk 250', 'match all'],
      ['match month', 'match all'],
    ]);
    assert.deepEqual(await ask(6), [['match month'], ['match month', 'match all']]);
    // They are fewer now.
    isMeant = (row) => row < 10_000 && row % 20 === 7;
    assert.deepEqual(await ask(6), [['match month', 'match all'], ['match all']]);
    assert.deepEqual(await ask(6), [['match all'], ['match all']]);
    name = 'all are few enough';
    isMeant = (row) => row > 12_000 && row < 19_750 && row % 40 === 0;
    assert.deepEqual(await ask(6), [['walk 250', 'match all'], ['match all']]);
    name = 'half of all are of the latest';
    isMeant = (row) => row > 19_300 && row < 19_740;
    assert.deepEqual(await ask(6), [['walk 250', 'match all'], ['match all']]);
  });

  it('asks for the latest of a week where they are enough, by what was told of all or of those of a month', async () => {
    const isOften = (inWeek: number, inMonth: number) => (row: number) =>
      row < 19_750 && row % (row > 19_500 ? inWeek : row > 19_000 ? inMonth : row < 10_000 ? 20 : 2_000) === 7;
    isMeant = isOften(50, 500);
    assert.deepEqual(await ask(), [
      ['walk 250', 'match all'],
      ['match week', 'match all'],
    ]);
    isMeant = isOften(50, 50);
    assert.deepEqual(await ask(), [['match week'], ['match week']]);
    // A new one has begun: those of the month are enough, until the week has as many.
    isMeant = isOften(100, 100);
    assert.deepEqual(await ask(), [
      ['match week', 'match all'],
      ['match month', 'match all'],
    ]);
    assert.deepEqual(await ask(), [['match month'], ['match month', 'match all']]);
    isMeant = isOften(50, 100);
    assert.deepEqual(await ask(), [['match month'], ['match week', 'match all']]);
    name = 'more than half of those of the month are of the week';
    isMeant = isOften(100, 100);
    await ask();
    isMeant = isOften(50, 150);
    assert.deepEqual(await ask(), [['match month'], ['match month', 'match all']]);
  });

  it('asks for the latest of a fortnight where those of a week are too few', async () => {
    fortnight = 750;
    isMeant = (row) => row < 19_750 && row % (row > 19_000 ? 60 : row < 10_000 ? 20 : 2_000) === 7;
    assert.deepEqual(await ask(6), [['walk 250', 'match all'], ['match fortnight']]);
    assert.deepEqual(await ask(6), [['match fortnight'], ['match fortnight']]);
    // A new one has begun.
    fortnight = 500;
    assert.deepEqual(await ask(6), [['match fortnight', 'match all'], ['match month']]);
  });

  it('asks for the latest of a month where all are too many, before it walks to the end', async () => {
    isMeant = (row) => row < 10_000 || (row < 19_750 && row % 50 === 7);
    assert.deepEqual(await ask(12), [['walk 250', 'match all', 'match month'], ['match month']]);
    isMeant = (row) => row < 10_000;
    assert.deepEqual(await ask(12), [['match month', 'match all', 'walk Infinity'], ['walk 8000']]);
    name = 'those of a week are enough';
    isMeant = (row) => row < 10_000 || (row < 19_750 && row % 50 === 7);
    assert.deepEqual(await ask(), [['walk 250', 'match all', 'match month'], ['match week']]);
  });

  it('tries all again after a thousand pages', async () => {
    list.length = 2_000;
    isMeant = (row) => row % 2_000 === 0;
    await search(undefined);
    isMeant = (row) => row % 4 === 0;
    for (let page = 1; page < 1_000; page++) await search(undefined);
    assert.equal(asked.at(-1), 'match week');
    asked = [];
    await search(undefined);
    assert.deepEqual(asked, ['walk 250']);
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
    isMeant = (row) => row < 15_000 && row % 2 === 0;
    assert.deepEqual(await ask(), [['walk 250', 'match all', 'match month', 'walk Infinity'], ['walk 8000']]);
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
    assert.deepEqual(await ask(), [['match all', 'match month'], ['match week']]);
    isMeant = (row) => row % 2_000 === 0;
    assert.deepEqual(await ask(), [['match week', 'match all'], ['match all']]);
    name = 'what a walk found';
    isMeant = (row) => row % 4 === 0;
    await ask();
    isMeant = (row) => row % 8 === 0;
    assert.deepEqual(await ask(), [['walk to 19984', 'walk 8000'], ['walk 8000']]);
    isMeant = (row) => row % 2_000 === 0;
    assert.deepEqual(await ask(), [['walk to 19968', 'walk 8000', 'match all'], ['match all']]);
  });
});
