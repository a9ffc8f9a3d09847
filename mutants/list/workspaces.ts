import { faultsIn } from '../fault.ts';

export const faults = [
  ...faultsIn(
    'server/src/workspaces/within-quota.ts',
    ['server/test/quotas.test.ts'],
    [
      ['  await lockQuota(tx, holder);\n  const before', '  const before', 'two at once exceed a quota'],
      [' && after[one] > before[one]', '', 'what is above a lowered quota cannot shrink'],
    ],
  ),
  ...faultsIn(
    'server/src/workspaces/calendar.ts',
    ['server/src/workspaces/calendar.test.ts'],
    [
      [' && dayAt(guess - 1) < day', '', 'a day begins at the second of its two midnights'],
      ['mondayOf(day) + 3', 'mondayOf(day)', 'the first week of January is counted to the wrong year'],
      ['startOfDay(last + 1)', 'startOfDay(last)', 'a report leaves out its last day'],
    ],
  ),
  ...faultsIn(
    'server/src/workspaces/book-fees.ts',
    ['server/test/wallet.test.ts'],
    [
      [
        'on conflict (workspace_id, reference) do nothing',
        "on conflict (workspace_id, reference) do update set kind = 'conversation_fee'",
        'the wallet pays twice for one conversation',
      ],
      [
        'where p.workspace_id = f.workspace_id and p.category',
        'where p.category',
        'a workspace pays the price of another',
      ],
      [
        'order by p.category = f.category desc',
        'order by p.category = f.category',
        'the price of a family is taken before that of the category',
      ],
      ['case when f.is_billable then', 'case when true then', 'what the platform gives for free is charged'],
    ],
  ),
  ...faultsIn(
    'server/src/workspaces/read-usage.ts',
    ['server/test/usage.test.ts'],
    [
      [
        'created_at >= $2 and created_at < $3 and category is not null',
        'created_at >= $2 and created_at <= $3 and category is not null',
        'a conversation at midnight is counted to two days',
      ],
      [
        "status in ('sent', 'delivered', 'read')) as messages_sent",
        "status <> 'queued') as messages_sent",
        'failed messages count as sent',
      ],
    ],
  ),
  ...faultsIn(
    'server/src/workspaces/apply-wallet.ts',
    ['server/test/wallet.test.ts'],
    [
      [
        'case when s.applied_minor is distinct from $2 then $2 else w.balance_minor end',
        '$2',
        'a file that is applied again gives back what fees have taken',
      ],
    ],
  ),
];
