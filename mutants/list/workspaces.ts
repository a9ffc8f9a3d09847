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
    'server/src/workspaces/prices/book-fees.ts',
    ['server/test/wallet.test.ts', 'server/test/quotes.test.ts'],
    [
      [
        'on conflict (workspace_id, reference) do nothing',
        "on conflict (workspace_id, reference) do update set kind = 'conversation_fee'",
        'the wallet pays twice for one conversation',
      ],
      ['is_charged: is_billable && !hasFreePlace(fee)', 'is_charged: !hasFreePlace(fee)', 'what is free is charged'],
      [
        'is_charged: is_billable && !hasFreePlace(fee)',
        'is_charged: is_billable',
        'a place in the allowance is charged',
      ],
      ['dateIn(number.timezone, accepted_at)', 'dateIn(number.timezone, now)', 'the day of the delivery decides'],
    ],
  ),
  ...faultsIn(
    'server/src/workspaces/prices/find-price.ts',
    ['server/test/wallet.test.ts', 'server/test/quotes.test.ts'],
    [
      [
        'where c.workspace_id = ${m}.workspace_id and c.category',
        'where c.category',
        'a workspace pays the price of another',
      ],
      [
        'where r.workspace_id = ${m}.workspace_id and r.category',
        'where r.category',
        'a workspace pays the rate of another',
      ],
      [
        'order by p.category = ${m}.category desc',
        'order by p.category = ${m}.category',
        'a variant costs what its category does',
      ],
      ['p.country desc', 'p.country', 'the rate of all countries stands before that of one'],
      ['p.from_date desc', 'p.from_date', 'an old rate stands before a new one'],
      ['and r.from_date <= ${m}.day', '', 'a rate begins too early'],
    ],
  ),
  ...faultsIn(
    'server/src/workspaces/prices/allowances.ts',
    ['server/test/quotes.test.ts'],
    [
      [
        'allowance.used + more >= allowance.messages',
        'allowance.used + more > allowance.messages',
        'one message too many is free',
      ],
      [
        'const month = `${day.slice(0, 7)}-01`',
        'const month = `${day.slice(0, 4)}-01-01`',
        'the allowance is of a year',
      ],
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
      ["status in ('sent', 'delivered', 'read'))", "status <> 'queued')", 'failed messages count as sent'],
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
