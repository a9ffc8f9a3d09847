import { faultsIn } from '../fault.ts';

export const faults = [
  ...faultsIn(
    'server/src/analytics/analyse-messages.ts',
    ['server/test/analytics.test.ts'],
    [
      [
        'm.created_at >= $2 and m.created_at < $3',
        'm.created_at >= $2 and m.created_at <= $3',
        'a message at midnight is counted to two days',
      ],
      ['and c.last_customer_message_id > m.id) as replied', ') as replied', 'every message counts as replied'],
    ],
  ),
  ...faultsIn(
    'server/src/analytics/analyse-conversations.ts',
    ['server/test/analytics.test.ts'],
    [
      [
        'countPeriods(range, interval) > mostPeriods',
        'countPeriods(range, interval) >= mostPeriods',
        'a report of the most periods is refused',
      ],
    ],
  ),
  ...faultsIn(
    'server/src/analytics/count-use.ts',
    ['server/test/canned-replies.test.ts'],
    [
      [
        'workspace_id = $1 and person_id is not null and role = any($2)`',
        'workspace_id = $1 and coalesce(role = any($2), true)`',
        'people who have not joined are counted as losing a canned reply',
      ],
    ],
  ),
];
