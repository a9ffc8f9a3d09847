import { faultsIn } from '../fault.ts';

const operations = ['server/test/scheduled-messages.test.ts'];
const due = ['server/test/scheduled-messages.due.test.ts'];

export const faults = [
  ...faultsIn('server/src/messages/scheduled/change-scheduled.ts', operations, [
    [
      "if (state === 'cancelled' || version !== known)",
      "if (state === 'cancelled')",
      'a scheduled message is overwritten by one who saw an older version',
    ],
    [
      "if (row?.conversation_id !== conversation.id) throw new Refusal('not_found');\n  return row;",
      'return row!;',
      'a scheduled message is changed under the name of another conversation',
    ],
    ['...(composed && { user_id }) }', '}', 'the words of a colleague go out in the name of the former author'],
    [
      'await deleteWaiting(tx, sendScheduledJob(row, row.send_at));\n    await enqueueJobs(tx, [sendScheduledJob(row, at)]);',
      '',
      'a scheduled message is not sent at its new time',
      due,
    ],
    [
      'row.send_at.getTime() < clock.nowMs() - lateRestoreMs',
      'false',
      'a cancellation is taken back long after the time of the message',
      due,
    ],
  ]),
  ...faultsIn('server/src/messages/scheduled/schedule-message.ts', operations, [
    ['at.getTime() <= clock.nowMs()', 'false', 'a message is scheduled for the past'],
    ['await refuseMore(tx, row);', '', 'a conversation has any number of scheduled messages'],
    [
      'if (composed instanceof Refusal) throw within(composed);',
      'if (composed instanceof Refusal) throw composed;',
      'a refusal names a member that the request does not have',
    ],
  ]),
  ...faultsIn('server/src/messages/scheduled/send-scheduled.ts', due, [
    [
      "author ? await sendAs(tx, clock, author, row) : new Refusal('author_without_access')",
      'await sendAs(tx, clock, author ?? { workspace_id, user_id: row.user_id, is_person: true }, row)',
      'a message goes out in the name of a person who was removed',
    ],
    [
      "if (row.state === 'sent') return { row, is_changed: false };",
      '',
      'a repeated request to send now is refused',
      operations,
    ],
    ['return extra.detail === optInMissing ?', 'return false ?', 'a missing opt-in is told as any other fault'],
  ]),
  ...faultsIn('server/src/messages/scheduled/queries.ts', due, [
    [
      'order by s.send_at, s.id`;\nconst selectDue',
      'order by s.id desc`;\nconst selectDue',
      'the parts of one moment go out in another order',
    ],
    [
      "and s.state = 'scheduled' and s.send_at <= $3",
      "and s.state = 'scheduled' and s.send_at is not null and $3::timestamptz is not null",
      'a message goes out with an earlier one of its conversation',
    ],
  ]),
  ...faultsIn('server/src/messages/scheduled/hold-authors.ts', due, [
    [
      'return { workspace_id, user_id, is_person: true, own_teams_only };',
      'return { workspace_id, user_id, is_person: true, own_teams_only: false };',
      'a limited author writes in a conversation that they do not see any more',
    ],
  ]),
  ...faultsIn('server/src/messages/scheduled/forget-scheduled.ts', due, [
    ["and state <> 'scheduled' and (", 'and (', 'a message is forgotten before its time'],
  ]),
  ...faultsIn('server/src/messages/scheduled/fail-of-channel.ts', due, [
    [
      "update scheduled_messages set state = 'failed'",
      "update scheduled_messages set state = 'scheduled'",
      'a disconnected channel leaves its scheduled messages waiting',
    ],
  ]),
  ...faultsIn('server/src/messages/scheduled/erase-scheduled.ts', operations, [
    [
      'await removeUploads(tx, workspace_id, [...files]);',
      'void removeUploads;',
      'the file of a scheduled message outlives the erased contact',
    ],
  ]),
  ...faultsIn('server/src/media/named-media.ts', due, [
    [
      '...scheduled.flatMap(({ media_id }) => media_id ?? []),',
      '',
      'the file of a scheduled message is removed as unused',
    ],
  ]),
  ...faultsIn('server/src/http/idempotency/perform-once.ts', operations, [
    ['if (!key) return write();', 'return write();', 'a message is scheduled twice after a lost answer'],
  ]),
];
