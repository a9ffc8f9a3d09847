import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseCoordinates } from './parse-coordinates.ts';

describe('coordinates', () => {
  for (const [text, latitude, longitude] of [
    ['23.588, 58.382', 23.588, 58.382],
    ['23.588 58.382', 23.588, 58.382],
    ['(-33.86,151.2)', -33.86, 151.2],
    ['33.86° S, 151.2° E', -33.86, 151.2],
    ['٢٣٫٥٨٨، ٥٨٫٣٨٢', 23.588, 58.382],
    ['geo:23.588,58.382?z=12', 23.588, 58.382],
    ['https://maps.google.com/?q=23.588,58.382', 23.588, 58.382],
    ['https://maps.google.com/?q=23.588%2C58.382&hl=ar', 23.588, 58.382],
    ['https://www.google.com/maps/place/X/@23.1,58.1,17z/data=!3d23.588!4d58.382', 23.588, 58.382],
    ['https://www.openstreetmap.org/?mlat=23.588&mlon=58.382#map=16/23.5/58.3', 23.588, 58.382],
  ] as const) {
    it(`are read from ${text}`, () => assert.deepEqual(parseCoordinates(text), { latitude, longitude }));
  }

  for (const text of ['', '23.588', 'Muscat', '91, 0', '0, 181', '1, 2, 3', '23,588, 58,382', '%E0%A4%A']) {
    it(`are not read from ${JSON.stringify(text)}`, () => assert.equal(parseCoordinates(text), undefined));
  }
});
