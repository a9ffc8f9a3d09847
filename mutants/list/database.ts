import { faultsIn } from '../fault.ts';

export const faults = [
  ...faultsIn(
    'server/src/database/ids.ts',
    ['server/src/database/ids.test.ts'],
    [
      ["body[0]! > '7'", "body[0]! > 'z'", 'an id beyond 128 bits names a row'],
      [
        '!text.startsWith(prefix) || body.length',
        'body.length',
        'an id of one kind names a row of another',
        ['server/src/database/ids.test.ts', 'server/test/every-operation.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/database/fold-text.ts',
    ['server/src/database/fold-text.test.ts', 'server/test/contacts.test.ts'],
    [
      ["    .replaceAll('\\u0629', '\\u0647')\n", '', 'a search with teh marbuta does not find heh'],
      ['    .toLowerCase();', ';', 'a search minds the case'],
      ['(digit) => String(digit.charCodeAt(0) & 15)', '(digit) => digit', 'a search minds the script of digits'],
    ],
  ),
  ...faultsIn(
    'server/src/database/search-key.ts',
    ['server/src/database/search-key.test.ts', 'server/test/contacts.test.ts'],
    [
      ['units.length === 2', 'units.length === 3', 'a search for one letter finds nothing'],
      [
        'part === units ? isFound',
        'part.length > 0 ? isFound',
        'a long search text is compared by its last letters alone',
      ],
    ],
  ),
  ...faultsIn(
    'server/src/database/search-page.ts',
    ['server/test/search-far-back.test.ts', 'server/test/contacts.test.ts'],
    [
      [
        'if (rows.length >= count) return rows;',
        'if (rows.length >= 1) return rows;',
        'a search leaves out matches behind the latest 500 rows',
      ],
    ],
  ),
  ...faultsIn(
    'server/src/database/is-database-away.ts',
    ['server/src/database/is-database-away.test.ts', 'server/src/database/group-commit.test.ts'],
    [
      [
        '/^(08|53|57)|',
        '/^(53|57)|',
        'a lost connection counts as a bug',
        ['server/src/database/is-database-away.test.ts'],
      ],
    ],
  ),
];
