import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseDuration } from './clock.ts';

it('reads times as people write them', () => {
  const cases: [string, number | undefined][] = [
    ['25h', 90_000],
    ['90m', 5_400],
    ['30s', 30],
    ['3d', 259_200],
    ['1d12h', 129_600],
    ['1d2h3m4s', 93_784],
    ['', undefined],
    ['25', undefined],
    ['h', undefined],
    ['-1h', undefined],
    ['1.5h', undefined],
    ['1h tomorrow', undefined],
  ];
  for (const [text, seconds] of cases) assert.equal(parseDuration(text), seconds, text);
});
