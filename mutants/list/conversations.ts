import { faultsIn } from '../fault.ts';

export const faults = [
  ...faultsIn(
    'server/src/conversations/touch-conversations.ts',
    ['server/test/receiving.test.ts', 'server/test/conversation-actions.test.ts', 'server/test/windows.test.ts'],
    [
      [
        'window_expires_at = greatest(c.window_expires_at, l.window_expires_at)',
        'window_expires_at = l.window_expires_at',
        'an older message shortens the window',
        ['server/test/windows.test.ts', 'server/test/receiving-order.test.ts'],
      ],
      [
        '    snoozed_until = null\n  from before l',
        '    snoozed_until = c.snoozed_until\n  from before l',
        'a snoozed conversation stays hidden when the customer writes',
        [
          'server/test/conversation-actions.test.ts',
          'server/test/change-conversation.test.ts',
          'server/test/conversation-list.test.ts',
        ],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/conversations/change/assign-round-robin.ts',
    ['server/test/users.test.ts', 'server/test/conversation-actions.test.ts'],
    [
      ["and u.role = 'agent' and u.available", "and u.role = 'agent'", 'an unavailable user is assigned'],
      [
        'order by coalesce(id <= last_assignee_id, false), id',
        'order by id',
        'the first agent gets every conversation',
      ],
    ],
  ),
  ...faultsIn(
    'server/src/conversations/change/close-conversation.ts',
    ['server/test/close-conversation.test.ts'],
    [["if (conversation.status === 'closed') return;", '', 'a closed conversation is closed twice']],
  ),
  ...faultsIn(
    'server/src/conversations/list/conversation-filter.ts',
    ['server/test/conversation-list.test.ts'],
    [
      [
        'c.snoozed_until <= ${now}',
        'c.snoozed_until < ${now}',
        'a conversation whose snooze ends now stays hidden',
        ['server/test/conversation-list.test.ts', 'server/test/conversation-actions.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/conversations/change/assign-round-robin.ts',
    ['server/test/working-hours.test.ts'],
    [
      [
        'and u.id <> all($6)',
        'and cardinality($6::uuid[]) >= 0',
        'conversations by turns go to people outside their hours',
      ],
    ],
  ),
  ...faultsIn(
    'server/src/users/working-hours.ts',
    ['server/test/working-hours.test.ts'],
    [
      ['closed_days: business?.closed_days ?? []', 'closed_days: []', 'people work on the closed days of the business'],
      [
        "if (!mayChange(before.role)) throw new Refusal('role_insufficient');\n",
        '',
        'anybody changes the hours of anybody',
      ],
      [
        "if (versionOf(weeklyOf(tx, before)) !== version) throw new Refusal('changed_meanwhile');\n",
        '',
        'hours that somebody set meanwhile are overwritten',
      ],
    ],
  ),
  ...faultsIn(
    'server/src/workspaces/read-stored-hours.ts',
    ['server/test/working-hours.test.ts'],
    [
      [
        'schema.Check(stored) && findHoursFaults(stored).length === 0',
        'true',
        'stored hours that cannot be read stop the messages of the workspace',
      ],
      ['  if (!known.has(name)) {', '  {', 'every reading of unreadable hours writes to the log'],
    ],
  ),
];
