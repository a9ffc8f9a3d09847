import { faultsIn } from '../fault.ts';

export const faults = [
  ...faultsIn(
    'server/src/concurrency/batch.ts',
    ['server/src/concurrency/batch.test.ts'],
    [
      [
        'fails_all = isDatabaseAway }',
        'fails_all = () => false }',
        'a batch whose connection was lost during its commit is run again',
        ['server/src/database/group-commit.test.ts'],
      ],
      ['.sort((a, b) => a.order - b.order)', '', 'a call that waited for its key overtakes others of its batch'],
      ['if (queue) return void queue.push(call);', '', 'two calls with one key share a batch'],
      [
        'return runBatch(batch.slice(middle), place);',
        'return runBatch(batch.slice(middle + 1), place);',
        'a call of a failed batch is never answered',
      ],
      [
        'if (wrong) call.reject',
        'if (wrong && !call) call.reject',
        'a batch with too few results answers some calls with nothing',
      ],
    ],
  ),
  ...faultsIn(
    'server/src/concurrency/limit-per-key.ts',
    ['server/src/concurrency/limit-per-key.test.ts'],
    [
      [
        '(running.get(key) ?? 0) < per_key',
        '(running.get(key) ?? 0) <= per_key',
        'a key runs one more at once than it may',
      ],
      ['total < in_all', 'total <= in_all', 'one more runs at once than may in all'],
    ],
  ),
  ...faultsIn(
    'server/src/concurrency/share-free-places.ts',
    ['server/src/concurrency/share-free-places.test.ts'],
    [
      [
        'if (own >= most()) return false;',
        'if (own > most()) return false;',
        'a hanging number takes one place more than its share',
      ],
    ],
  ),
];
