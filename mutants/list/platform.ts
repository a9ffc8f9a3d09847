import { faultsIn } from '../fault.ts';

export const faults = [
  ...faultsIn(
    'server/src/platform/webhook/verify-signature.ts',
    ['server/src/platform/webhook/verify-signature.test.ts'],
    [
      [
        "return timingSafeEqual(expected, Buffer.from(given, 'hex'));",
        'return expected.length === 32;',
        'any signature is taken',
      ],
      ["|| app_secret === ''", '', 'a number without an app secret takes any signature'],
    ],
  ),
  ...faultsIn(
    'server/src/platform/webhook/read-challenge.ts',
    ['server/src/platform/webhook/read-challenge.test.ts', 'server/test/platform-door.test.ts'],
    [["parameters.get('hub.mode') !== 'subscribe' ||", '', 'a request that is no verification is answered']],
  ),
  ...faultsIn(
    'server/src/platform/send/read-send-outcome.ts',
    ['server/src/platform/client.test.ts', 'server/test/dispatch.test.ts'],
    [
      ['status < 500 && status !== 408', 'status < 500', 'a send that a gateway gave up is sent again'],
      ['status >= 300 && status < 500', 'status >= 300', 'a send that the platform may have taken is sent again'],
      [
        "if (platform_message_id === undefined) return { type: 'unknown'",
        "if (platform_message_id === undefined) return { type: 'unreachable'",
        'a send without an id in its answer is sent again',
      ],
    ],
  ),
  ...faultsIn(
    'server/src/platform/send/classify-error.ts',
    ['server/src/platform/client.test.ts', 'server/test/dispatch.test.ts'],
    [
      [
        "...codes([131056], { retry: 'pair' }),",
        "...codes([131056], { retry: 'throughput' }),",
        'one customer with too many messages pauses the whole number',
        ['server/src/platform/client.test.ts', 'server/test/dispatch.test.ts', 'server/test/dispatch-channels.test.ts'],
      ],
      [
        "...codes([130429], { retry: 'throughput' }),",
        '',
        'a message fails for the rate of its number',
        ['server/src/platform/client.test.ts', 'server/test/dispatch.test.ts', 'server/test/dispatch-channels.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/platform/redact.ts',
    ['server/src/platform/client.test.ts'],
    [
      [
        "clean.details = error.details.replaceAll(access_token, '[token]')",
        'clean.details = error.details',
        'an access token stands in the error of a message',
        ['server/src/platform/client.test.ts', 'server/test/dispatch.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/platform/webhook/read-status.ts',
    ['server/src/platform/webhook/parse-webhook.test.ts', 'server/test/statuses.test.ts'],
    [["  ['played', 'read'],\n", '', 'a voice message that was played never becomes read']],
  ),
  ...faultsIn(
    'server/src/platform/webhook/read-user-preference.ts',
    ['server/src/platform/webhook/parse-webhook.test.ts', 'server/test/receiving-people.test.ts'],
    [["marketing: choice === 'resume'", "marketing: choice !== 'stopped'", 'a stop of marketing opts in']],
  ),
  ...faultsIn(
    'server/src/platform/webhook/split-by-sender.ts',
    ['server/src/platform/webhook/split-by-sender.test.ts'],
    [
      ['known.includes(name) || !senders.has(name)', '!senders.has(name)', 'a customer with two names is two senders'],
      ['of [...known, ...names]', 'of [...names]', 'a customer is two senders where later names join earlier ones'],
      [
        'const sender = known === undefined ? first : senders.get(known)!;',
        'const sender = first;',
        'a message goes with those of another customer',
      ],
    ],
  ),
  ...faultsIn(
    'server/src/platform/number-variants.ts',
    [
      'server/src/platform/number-variants.test.ts',
      'server/test/receiving-people.test.ts',
      'server/test/two-spellings.test.ts',
    ],
    [["other: '54$<line>'", "other: '54$<line>0'", 'a customer in Argentina is two contacts']],
  ),
  ...faultsIn(
    'server/src/platform/messaging-tier.ts',
    [
      'server/src/platform/messaging-tier.test.ts',
      'server/src/platform/webhook/parse-webhook.test.ts',
      'server/test/broadcasts-tier.test.ts',
    ],
    [['(digits[2] ? 1000 : 1)', '1', 'a tier of 1K counts as one customer']],
  ),
];
