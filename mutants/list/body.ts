import { faultsIn } from '../fault.ts';

const budget = ['server/src/concurrency/byte-budget.test.ts'];
const large = ['server/test/large-bodies.test.ts'];
const stalled = ['server/test/stalled-bodies.test.ts'];
const json = ['server/src/http/body/parse-json.test.ts'];
const queue = ['server/src/concurrency/fair-queue.test.ts'];

export const faults = [
  ...faultsIn('server/src/concurrency/byte-budget.ts', budget, [
    [
      'if (hasRoom(one.key, one.bytes)) one.begin();',
      '{ if (!hasRoom(one.key, one.bytes)) break; one.begin(); }',
      'a full share blocks all who wait behind it',
    ],
    ['used + bytes <= bound', 'used + bytes < bound', 'a budget has a byte less than its bound'],
    ['used === 0 || used', 'used', 'a body above a share waits for ever'],
    ['      is_held = false;\n', '', 'bytes that are given twice count twice'],
    ['fits(held.get(key) ?? 0, bytes, per_key);', 'true;', 'one key takes the whole budget'],
    ['fits(total, bytes, in_all) &&', '', 'the shares together exceed the budget'],
    [
      '        leave();\n        reject(patience.error());',
      '        reject(patience.error());',
      'whoever was refused takes bytes all the same',
    ],
  ]),
  ...faultsIn(
    'server/src/concurrency/limit-per-key.ts',
    ['server/src/concurrency/limit-per-key.test.ts'],
    [
      ['?.begin();', '?.begin;', 'nobody who waits is let in'],
      [
        '.find((call) => hasPlace(call.key))',
        '.find((call, index) => index === 0 && hasPlace(call.key))',
        'a full key blocks all who wait behind it',
      ],
    ],
  ),
  ...faultsIn('server/src/concurrency/fair-queue.ts', queue, [
    ['waiting >= limits.waiting_in_all', 'waiting > limits.waiting_in_all', 'one more waits than may'],
    ['queue.size >= limits.waiting_per_key', 'queue.size > limits.waiting_per_key', 'one more of a key waits than may'],
    [
      '    queues.delete(key);\n    queues.set(key, queue);\n',
      '',
      'a key with many calls delays the others by all of them',
    ],
    ["gone?.addEventListener('abort', call.refuse);", '', 'a call whose client left keeps its place in the queue'],
    [
      'setTimeout(call.refuse, limits.patience_ms)',
      'setTimeout(() => {}, limits.patience_ms)',
      'a call waits without an end',
    ],
  ]),
  ...faultsIn('server/src/http/body/hold-bodies.ts', stalled, [
    [
      'bytes > freeBytes ? await reserve(ownerOf(request), bytes) : () => {}',
      '() => {}',
      'bodies in flight have no bound',
      large,
    ],
    ['per_key: bodiesInFlightBytes / 4,', 'per_key: bodiesInFlightBytes,', 'one sender takes the room of all bodies'],
    [
      '    onceClosed(reply.raw, () => {\n      clearTimeout(late);\n      release();\n    });',
      '    onceClosed(reply.raw, () => clearTimeout(late));',
      'bodies are never given back',
    ],
    [
      "if (headers['transfer-encoding'] !== undefined) return routeOptions.bodyLimit;",
      '',
      'a chunked body takes no room',
    ],
    [
      'if (request.raw.complete === false) replyClientError',
      'if (request.raw.complete) replyClientError',
      'a body that never comes holds its room',
      ['server/test/connections.test.ts'],
    ],
  ]),
  ...faultsIn('server/src/http/body/parse-json.ts', json, [
    ['traces.depth > max_depth', 'traces.depth >= max_depth', 'a body of 64 levels is refused'],
    [
      'if (traces.values > max_values)',
      'if (traces.values > 2 * max_values)',
      'a body of many small values is built',
      large,
    ],
    ['!traces.suspicious && ', '', 'NUL and lone surrogates reach the database'],
    [' && countMembers(value) === traces.colons', '', 'a member that is given twice is taken'],
    ['!/__proto__|prototype/.test(text) && ', '', 'a body names the prototype'],
  ]),
  ...faultsIn('server/src/http/body/take-json.ts', large, [
    [
      "if ('errors' in checked) return setVerdict({}, checked);",
      '',
      'a large body that does not fit its schema is taken',
    ],
    [
      "if ('faults' in checked) throw new Refusal('unprocessable_content', { errors: checked.faults });",
      '',
      'a large body that cannot be stored is taken',
    ],
    ['raw.length <= inlineBytes || ', 'raw.length > 0 || ', 'a large body of one workspace stops all others'],
  ]),
  ...faultsIn('server/src/http/body/check-body.ts', large, [
    [
      '  if (fault) return { faults: [fault] };\n',
      '',
      'texts and lists of large bodies have no bound',
      ['server/test/bounds.test.ts', ...large],
    ],
    ['if (!validator.Check(parsed.value))', 'if (!validator)', 'a large body is not compared with its schema'],
  ]),
  ...faultsIn(
    'server/src/http/body/check-bounds.ts',
    ['server/test/bounds.test.ts'],
    [
      ['name.length > bounds.short', 'name.length > bounds.document', 'a name of a member has no bound'],
      [
        "route.httpPart === 'params' ? new Refusal('not_found') : invalid(fault)",
        'invalid(fault)',
        'a long id in a path is a fault of the body',
      ],
    ],
  ),
];
