import { faultsIn } from '../fault.ts';

const rights = ['server/test/inbox-rights.test.ts'];
const limited = ['server/test/limited-rights.test.ts'];
const limitedMatrix = ['server/test/limited-rights-matrix.test.ts'];
const views = ['server/test/inbox-views.test.ts'];

export const faults = [
  ...faultsIn(
    'server/src/conversations/require-conversation.ts',
    ['server/test/console-tenants.test.ts'],
    [
      [
        'from conversations where workspace_id = $1 and id = $2 and',
        'from conversations where $1::uuid is not null and id = $2 and',
        'a person names a conversation of another workspace',
      ],
    ],
  ),
  ...faultsIn(
    'server/src/conversations/is-visible-to.ts',
    ['server/test/members.test.ts'],
    [
      [
        'm.id = w.message_id and ${visible}',
        'm.id = w.message_id and w.user_id is not null',
        'an agent of own teams reads a message of a hidden conversation',
      ],
      [
        'where m.workspace_id = w.workspace_id and m.media_id = w.media_id and ${visible}',
        'where m.workspace_id = w.workspace_id and m.media_id = w.media_id and w.user_id is not null',
        'a limited person sends a file of a hidden conversation',
        limitedMatrix,
      ],
      [
        'where not exists (${seen}) or exists (${seen} and ${isVisibleTo(user_id)})',
        'where not exists (${seen}) or exists (${seen})',
        'a limited person lists the contacts of all teams',
        limitedMatrix,
      ],
    ],
  ),
  ...faultsIn('server/src/conversations/refuse-hidden.ts', limited, [
    [
      'await lockConversations(tx, [principal.workspace_id, contact_id]);',
      '',
      'a contact is changed whose conversation moved to another team',
    ],
  ]),
  ...faultsIn('server/src/conversations/change/change-conversation.ts', limited, [
    [
      'await refuseHidden(tx, principal, { conversation_id: conversation.id });',
      '',
      'a conversation is changed that moved to another team',
    ],
  ]),
  ...faultsIn('server/src/messages/accept/send-messages.ts', limitedMatrix, [
    [
      'hidden.has(index) ? refuseHiddenSend(send) : decide',
      'hidden.has(-1) ? refuseHiddenSend(send) : decide',
      'a limited person writes to a hidden customer by the body',
    ],
    ['await holdVisible(tx, touched);', '', 'a reply reaches a conversation that moved to another team', limited],
  ]),
  ...faultsIn('server/src/http/idempotency/perform-writes.ts', limited, [
    ['if (hold_answer) await', 'if (!hold_answer) await', 'a stored answer shows a conversation that is hidden by now'],
  ]),
  ...faultsIn('server/src/console/refuse-beyond-limit.ts', limitedMatrix, [
    ['if (whole_workspace) {', 'if (!caller) {', 'a limited supervisor sends a broadcast to customers of all teams'],
  ]),
  ...faultsIn(
    'server/src/inbox/read-marks.ts',
    ['server/test/read-marks.test.ts'],
    [
      [
        'where r.last_read_message_id is null or r.last_read_message_id < excluded.last_read_message_id',
        '',
        'an older tab moves the mark back',
      ],
      [
        '...(own_teams_only ? [isVisibleTo(user_id)] : []),',
        '',
        'an agent of own teams counts the messages of hidden conversations',
        rights,
      ],
      ["and m.id > c.bound and m.direction = 'inbound'", 'and m.id > c.bound', 'own messages count as unread'],
      [
        'from messages where workspace_id = $1 and conversation_id = $2 and id = $3`',
        'from messages where $1::uuid is not null and $2::uuid is not null and id = $3`',
        'a message of another conversation or workspace is a mark',
        ['server/test/read-marks.test.ts', 'server/test/console-tenants.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/inbox/drafts.ts',
    ['server/test/drafts.test.ts'],
    [
      [
        "    .where('d.workspace_id', '=', workspace_id)\n    .where('d.user_id', '=', user_id)\n    .where('d.conversation_id', '=', conversation_id);",
        "    .where('d.workspace_id', '=', workspace_id)\n    .where('d.conversation_id', '=', conversation_id);",
        "a person reads another's draft",
      ],
      ['  refuseOutdated(stored, version);\n  const saved', '  const saved', 'an older tab overwrites a draft'],
      [
        'if (own_teams_only) query = query.where(isVisibleTo(user_id));',
        '',
        'drafts show a conversation that was assigned away',
        rights,
      ],
      ['if (counted!.drafts >= mostDrafts)', 'if (counted!.drafts > mostDrafts)', 'a person has more drafts than 500'],
    ],
  ),
  ...faultsIn(
    'server/src/inbox/presences.ts',
    ['server/test/presence.test.ts'],
    [
      [".where('p.expires_at', '>', clock.now())", '', 'a crashed browser views a conversation for ever'],
      [
        '  } else if (own_teams_only) {',
        '  } else if (!viewer) {',
        'an agent of own teams sees who views hidden conversations',
        rights,
      ],
    ],
  ),
  ...faultsIn(
    'server/src/inbox/sharing.ts',
    ['server/test/saved-views.test.ts'],
    [
      [
        "if (!shared || mayAct(role, 'supervisor')) return;",
        "if (!shared || mayAct(role, 'agent')) return;",
        'an agent changes what all share',
      ],
      [
        '(user_id is null or user_id = ${user_id}::uuid)',
        '(user_id is null or ${user_id}::uuid is not null)',
        "a person sees and changes another's views",
      ],
    ],
  ),
  ...faultsIn('server/src/inbox/views/list-view.ts', views, [
    [
      'where workspace_id = $1 and user_id = $2 order by message_id desc',
      'where workspace_id = $1 and $2::uuid is not null order by message_id desc',
      "a person's mentions are those of all",
    ],
    [
      '...(own_teams_only ? [isVisibleTo(user_id)] : [])',
      '',
      'an agent of own teams sees hidden snoozed conversations',
    ],
  ]),
  ...faultsIn(
    'server/src/messages/thread/list-thread.ts',
    ['server/test/thread.test.ts'],
    [['where m.conversation_id = ${conversation_id}`', '`', 'messages of a hidden conversation are read by their ids']],
  ),
  ...faultsIn('server/src/inbox/forget.ts', rights, [
    ["statement('delete from drafts where workspace_id = $1 and user_id = $2'),", '', 'drafts outlive the membership'],
    [
      "statement('delete from drafts where workspace_id = $1 and conversation_id = any ($2::uuid[])'),",
      '',
      'drafts outlive the erased contact',
      ['server/test/drafts.test.ts'],
    ],
  ]),
];
