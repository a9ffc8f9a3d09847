import { faultsIn } from '../fault.ts';

export const faults = [
  ...faultsIn(
    'server/src/webhook-endpoints/rules.ts',
    ['server/src/webhook-endpoints/rules.test.ts'],
    [
      [
        'response_status >= 200 && response_status < 300',
        'response_status >= 200 && response_status < 400',
        'a redirect counts as delivered',
      ],
      [
        'gap_ms > longestGapMs',
        'gap_ms > 0',
        'an endpoint that fails for three days is never disabled',
        ['server/src/webhook-endpoints/rules.test.ts', 'server/test/webhook-disabling.test.ts'],
      ],
      [
        '>= disable_after_seconds * 1000',
        '> disable_after_seconds * 1000',
        'an endpoint is not disabled after exactly three days',
      ],
      ['retry_delays_seconds[tries - 1]', 'retry_delays_seconds[tries]', 'the first retry comes after five minutes'],
      ['Math.ceil(spread_ms)', '-Math.ceil(spread_ms)', 'a retry comes before its time'],
    ],
  ),
  ...faultsIn(
    'server/src/webhook-endpoints/deliver/sign-event.ts',
    ['server/src/webhook-endpoints/deliver/sign-event.test.ts', 'server/test/webhook-delivery.test.ts'],
    [['`${t}.${body}`', '`${t}${body}`', 'a receiver cannot verify the signature']],
  ),
  ...faultsIn(
    'server/src/webhook-endpoints/deliver/record-attempts.ts',
    ['server/test/webhook-delivery.test.ts', 'server/test/webhook-disabling.test.ts'],
    [
      [
        'ended.filter(({ interrupted }) => !interrupted).map(toCount)',
        'ended.map(toCount)',
        'interrupted attempts count as failures',
        ['server/test/webhook-disabling.test.ts'],
      ],
      [
        ' && !disabled.has(attempt.endpoint_id)',
        '',
        'an endpoint that was disabled is tried again',
        ['server/test/webhook-disabling.test.ts'],
      ],
    ],
  ),
  ...faultsIn('server/src/webhook-endpoints/deliver/count-attempts.ts', ['server/test/webhook-disabling.test.ts'], []),
  ...faultsIn(
    'server/src/webhook-endpoints/deliver/begin-attempts.ts',
    ['server/test/webhook-delivery.test.ts', 'server/test/webhook-replays.test.ts'],
    [
      [
        'later.attempt > a.attempt) as is_wanted',
        'later.attempt > a.attempt + 9) as is_wanted',
        'a replayed event is delivered twice',
        ['server/test/webhook-replays.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/webhook-endpoints/queries.ts',
    ['server/test/webhook-replays.test.ts', 'server/test/webhook-endpoints.test.ts'],
    [['and not ($6 and seen.is_delivered is true)', '', 'a replay of missed events repeats delivered ones']],
  ),
  ...faultsIn(
    'server/src/webhook-endpoints/manage/read-endpoint-state.ts',
    ['server/test/endpoint-deliveries.test.ts'],
    [
      [
        'later.attempt > a.attempt)\n    limit',
        'later.attempt > a.attempt + 9)\n    limit',
        'deliveries that a replay superseded are counted as waiting',
      ],
    ],
  ),
];
