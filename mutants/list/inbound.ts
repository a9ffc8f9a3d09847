import { faultsIn } from '../fault.ts';

export const faults = [
  ...faultsIn(
    'server/src/inbound/store-notifications.ts',
    ['server/test/large-notifications.test.ts'],
    [
      [
        'if (former_queue_keys.length > 0) await joinQueues',
        'if (former_queue_keys.length > 9) await joinQueues',
        'a changed number does not wait for its queue',
        ['server/test/changed-numbers.test.ts'],
      ],
      [
        '!of_numbers.some(({ line }) => busy.has(line))',
        'true',
        'a message overtakes an earlier one that is not split',
      ],
    ],
  ),
  ...faultsIn(
    'server/src/inbound/jobs.ts',
    ['server/test/large-notifications.test.ts'],
    [
      [
        'webhookKinds = [processWebhook, splitWebhook]',
        'webhookKinds = [processWebhook]',
        'an erasure leaves a person in a notification that is not split',
      ],
    ],
  ),
  ...faultsIn(
    'server/src/inbound/find-signer.ts',
    ['server/test/platform-door.test.ts'],
    [
      [
        '.find(({ app_secret }) => verifySignature(',
        '.find(({ app_secret }) => app_secret || verifySignature(',
        'the app of one number signs for another',
      ],
    ],
  ),
  ...faultsIn(
    'server/src/inbound/apply-items.ts',
    ['server/test/receiving.test.ts', 'server/test/platform-door.test.ts'],
    [
      [
        'channel.id === channel_id || hasSecretOf(channel, signed_by, secretBox)',
        'channel.id !== signed_by',
        'a workspace reports on the numbers of another',
        ['server/test/platform-door.test.ts', 'server/test/receiving.test.ts', 'server/test/templates-reports.test.ts'],
      ],
      [
        "if (one.item.type === 'identity_change') parts.push([]);",
        '',
        'a message from a new number is stored before its change',
        [
          'server/test/receiving-people.test.ts',
          'server/test/changed-numbers.test.ts',
          'server/test/receiving-order.test.ts',
        ],
      ],
      [
        'item.error_code === stoppedMarketing ? false',
        'item.error_code === -1 ? false',
        'a customer who stopped marketing keeps the opt-in',
        ['server/test/receiving-people.test.ts'],
      ],
    ],
  ),
  ...faultsIn('server/src/inbound/process-webhook.ts', ['server/test/receiving.test.ts'], []),
  ...faultsIn(
    'server/src/inbound/to-pricing.ts',
    ['server/test/wallet.test.ts'],
    [
      [
        "pricing.billable !== false && !pricing.type?.startsWith('free')",
        'pricing.billable !== false',
        'a free conversation is charged',
      ],
      [".replaceAll('-', '_')", '', 'a category with a hyphen has no price'],
    ],
  ),
];
