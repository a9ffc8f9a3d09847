/** Texts that cost most: each is repeated up to the bound of a member. `head` and `tail` stand around the repeated part. */
interface Shape {
  part: string;
  head?: string;
  tail?: string;
}

const shapes: Record<string, Shape> = {
  'combining marks of two classes': { part: '\u0316\u0300', head: 'a' },
  'letters that become marks': { part: '\uff9e\u0300', head: 'a' },
  'spaces between digits': { part: ' ', head: '1', tail: '1' },
  'digits and spaces': { part: '1 ' },
  'an @ and hyphens': { part: '-', head: '@' },
  '@ alone': { part: '@' },
  '@ and hyphens': { part: '@-' },
  'open braces': { part: '{{' },
  'open braces and spaces': { part: ' ', head: '{{' },
  'braces and spaces': { part: '{{ }' },
  variables: { part: '{{trigger.variables.text}}' },
  'numbered variables': { part: '{{1}}' },
  'empty comments': { part: '<!---->', tail: 'x' },
  'open tags': { part: '<meta ' },
  backslashes: { part: '\\' },
  quotes: { part: '"' },
  'direction marks': { part: '\u200f' },
  'joined pairs': { part: '👩\u200d' },
  pairs: { part: '😀' },
  'zero-width joiners': { part: '\u200d', head: '@', tail: 'a' },
  'a ligature of 18 letters': { part: '\ufdfa' },
  syllables: { part: '\u1100\u1161\u11a8' },
  'line breaks': { part: ' \n' },
  'full stops and spaces': { part: '. ' },
  'full stops': { part: '.', tail: 'x' },
  'labels of a host': { part: 'a.', head: 'a@' },
  'an address': { part: '/a', head: 'https://acme.example' },
  'percent signs': { part: '%41', head: 'https://acme.example/?' },
  'open brackets': { part: '[1, ' },
};

export const shapeNames = Object.keys(shapes);

/** A text of this shape, as long as the bound at most. */
export function writeShape(name: string, most: number): string {
  const { part, head = '', tail = '' } = shapes[name]!;
  const room = most - head.length - tail.length;
  return head + part.repeat(Math.floor(room / part.length)) + tail;
}
