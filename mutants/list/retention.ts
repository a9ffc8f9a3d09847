import { faultsIn } from '../fault.ts';

const deletion = ['server/test/retention.test.ts'];
const settings = ['server/test/retention-settings.test.ts'];
const edges = ['server/src/retention/find-expired.test.ts'];

export const faults = [
  ...faultsIn('server/src/retention/find-expired.ts', deletion, [
    ["c.status = 'closed' and c.contact_id", 'c.contact_id', 'a conversation is deleted that was reopened meanwhile'],
    [
      'is not null and c.last_message_at <= $2',
      'is not null and c.last_message_at < $2',
      'a conversation stays for longer than was set',
      edges,
    ],
    [
      'order by m.id desc limit 1) <= $2, true)',
      'order by m.id desc limit 1) is not null, true)',
      'a note of today is deleted',
    ],
    ['and c.snoozed_until is null', '', 'a snoozed conversation is deleted'],
    [
      "s.state = 'scheduled'`",
      's.state is null`',
      'a scheduled message is deleted with its conversation before it is sent',
    ],
    [
      'j.kind = any ($4) and j.queue_key = c.id',
      'j.kind = any ($4) and j.queue_key is null and false',
      'a conversation is deleted in which a bot is about to answer',
    ],
    [
      'k.created_at > $3',
      'k.created_at is null',
      'a repeated request acts twice, because its answer was deleted',
      edges,
    ],
  ]),
  ...faultsIn('server/src/retention/delete-expired.ts', deletion, [
    ['if (days === null || !found', 'if (!found', 'the deletion goes on after it was switched off', settings],
    ['await deleteRecipientsOf(tx, workspace_id, id);', '', 'the figures of a broadcast shrink with what is deleted'],
  ]),
  ...faultsIn('server/src/retention/retention-settings.ts', settings, [
    [
      "if (before.version !== version) throw new Refusal('changed_meanwhile');",
      '',
      'an administrator overwrites what another one has set',
    ],
  ]),
  ...faultsIn('server/src/messages/erase-messages.ts', deletion, [
    [
      "if (reason === 'expired') await countNewest(tx, [workspace_id, conversation_id, stepRows]);",
      '',
      'the usage shrinks with what is deleted',
    ],
    [
      "if (reason === 'erased') await removeReceived(tx, workspace_id, received ?? []);",
      'await removeReceived(tx, workspace_id, received ?? []);',
      'a file of a customer that a workflow sends is deleted',
    ],
  ]),
  ...faultsIn('console-api/src/retention.ts', settings, [
    ['    confirmed: true,\n', '', 'whoever sits down at an open console has conversations deleted'],
    [
      'minimum: retentionDays.least,\n    maximum',
      'minimum: 0,\n    maximum',
      'a workspace deletes conversations of today',
    ],
  ]),
];
