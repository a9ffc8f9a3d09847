export interface Coordinates {
  latitude: number;
  longitude: number;
}

const eastern = /[\u0660-\u0669\u06F0-\u06F9]/g;

/**
 * Reads the coordinates that people copy: two decimal numbers, a `geo:` link, or the address of a map. Undefined where there are
 * none, or none on the earth.
 */
export function parseCoordinates(text: string): Coordinates | undefined {
  const plain = text
    .replace(eastern, (digit) => String(digit.charCodeAt(0) & 0x0f))
    .replace(/٫/g, '.')
    .replace(/[\u200E\u200F\u061C\u2066-\u2069°]/g, '')
    .replace(/[،;؛]/g, ',')
    .trim();
  const found = findPair(decode(plain));
  if (!found) return undefined;
  const [latitude, longitude] = found;
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

/** An address of a map may name several pairs; the one of the place stands before that of the view. */
const patterns = [
  /!3d(-?\d+(?:\.\d+)?)!4d(-?\d+(?:\.\d+)?)/,
  /[?&#](?:q|ll|query|destination|mlat)=(-?\d+(?:\.\d+)?)(?:,|&mlon=)\s*(-?\d+(?:\.\d+)?)/,
  /@(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)/,
  /^geo:(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)/,
  /^\(?([-+]?\d+(?:\.\d+)?)\s*([NS])?(?:\s*,\s*|\s+)([-+]?\d+(?:\.\d+)?)\s*([EW])?\)?$/i,
];

function findPair(text: string): [number, number] | undefined {
  for (const pattern of patterns) {
    const [, first, ...rest] = pattern.exec(text) ?? [];
    if (first === undefined) continue;
    if (rest.length === 1) return [Number(first), Number(rest[0])];
    const [north, second, east] = rest;
    return [signed(first, north, 'S'), signed(second!, east, 'W')];
  }
  return undefined;
}

function signed(number: string, side: string | undefined, negative: string): number {
  return side?.toUpperCase() === negative ? -Math.abs(Number(number)) : Number(number);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
