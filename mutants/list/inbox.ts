import { faultsIn } from '../fault.ts';

const rights = ['server/test/inbox-rights.test.ts'];
const limited = ['server/test/limited-rights.test.ts'];
const limitedMatrix = ['server/test/limited-rights-matrix.test.ts'];
const toldRows = ['server/test/live-rows.test.ts'];
const others = ['server/test/secrets-of-others.test.ts'];
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
        'c.id = h.conversation_id where ${visible}',
        'c.id = h.conversation_id where w.user_id is not null',
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
        'own_teams_only ? [isVisibleTo(user_id)] : []',
        '[]',
        'an agent of own teams counts the messages of hidden conversations',
        rights,
      ],
      [
        'from messages where workspace_id = $1 and conversation_id = $2 and id = $3`',
        'from messages where $1::uuid is not null and $2::uuid is not null and id = $3`',
        'a message of another conversation or workspace is a mark',
        ['server/test/read-marks.test.ts', 'server/test/console-tenants.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/inbox/own-parts.ts',
    ['server/test/read-marks.test.ts'],
    [
      ["and m.id > c.bound and m.direction = 'inbound'", 'and m.id > c.bound', 'own messages count as unread'],
      [
        'and k.conversation_id = c.id and k.user_id = u.id offset 0',
        'and k.conversation_id = c.id and k.user_id is not null offset 0',
        'a person has the marks of others',
        [...others, ...toldRows],
      ],
      [
        'd.user_id = c.user_id\n          and d.conversation_id = c.id',
        'd.conversation_id = c.id',
        'a row shows the draft of another person',
        toldRows,
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
      [
        ".where('d.kind', '=', kind).forUpdate()))[0]",
        ".where('d.kind', '=', kind)))[0]",
        'of two tabs at one moment, the later one overwrites the draft',
      ],
      ['    await lockGroup(tx, viewer, false);\n', '', 'two saves at one moment exceed the bound of drafts'],
      [
        "        .where('workspace_id', '=', workspace_id)\n        .where('user_id', '=', user_id)",
        "        .where('workspace_id', '=', workspace_id)",
        "a save overwrites everybody's draft of the conversation",
        others,
      ],
      [
        "      .where('workspace_id', '=', viewer.workspace_id)\n      .where('user_id', '=', viewer.user_id)",
        "      .where('workspace_id', '=', viewer.workspace_id)",
        "a send ends everybody's draft of the conversation",
        others,
      ],
      [
        "    .where('d.user_id', '=', user_id)\n    .orderBy('d.updated_at', 'desc')",
        "    .orderBy('d.updated_at', 'desc')",
        'the list shows the drafts of others',
        others,
      ],
      [
        '  if (version !== undefined) refuseOutdated(stored, version);\n',
        '',
        'a send of an old tab ends a newer draft',
      ],
      [
        'const own = { workspace_id, for_user_id: user_id, conversation_id } as const;',
        'const own = { workspace_id, conversation_id } as const;',
        'everybody is told of a draft',
        ['server/test/inbox-live.test.ts'],
      ],
      ['if (counted!.drafts >= mostDrafts)', 'if (counted!.drafts > mostDrafts)', 'a person has more drafts than 500'],
    ],
  ),
  ...faultsIn(
    'server/src/inbox/read-marks.ts',
    ['server/test/read-marks.test.ts'],
    [
      [
        '  const isReset = await resetUnread(tx, { workspace_id, id, read_message_id: read });\n',
        '  const isReset = false;\n',
        'the team never sees that all was read',
      ],
      [
        'conversation_id = $3 and id < $4 order',
        'conversation_id = $3 and id <= $4 order',
        'a message that was marked as unread stays read',
      ],
      [
        "kind: 'read_mark', conversation_id: id, for_user_id: user_id, details",
        "kind: 'read_mark', conversation_id: id, details",
        'everybody is told what a person has read',
        ['server/test/inbox-live.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/inbox/notification-settings.ts',
    ['server/test/notification-settings.test.ts'],
    [
      [
        's.workspace_id = w.id and s.user_id = $2',
        's.workspace_id = w.id and $2::uuid is not null',
        'a person has the settings of others',
        others,
      ],
      [
        "on.columns(['workspace_id', 'user_id']).doUpdateSet(values)",
        "on.columns(['workspace_id', 'user_id']).doNothing()",
        'settings change once',
      ],
      [
        "[{ workspace_id, kind: 'notification_settings', for_user_id: user_id }]",
        "[{ workspace_id, kind: 'notification_settings' }]",
        'everybody is told of the settings of a person',
        ['server/test/inbox-live.test.ts'],
      ],
      [
        'if (!quiet_hours || isTimeOfDay(quiet_hours[name])) continue;',
        'if (!quiet_hours || quiet_hours[name]) continue;',
        'quiet hours begin at no time of day',
      ],
    ],
  ),
  ...faultsIn(
    'server/src/inbox/quiet-hours.ts',
    ['server/src/inbox/quiet-hours.test.ts'],
    [
      ['< sinceMinute(begin, end);', '<= sinceMinute(begin, end);', 'quiet hours last a minute longer'],
      ['(to - from + minutesPerDay) % minutesPerDay', 'to - from', 'quiet hours over midnight are none'],
    ],
  ),
  ...faultsIn(
    'server/src/inbox/notices.ts',
    ['server/test/notices.test.ts'],
    [
      ['if (quiet_now) return { data: [], sound, desktop };', '', 'quiet hours are loud'],
      [
        'and (r.last_read_message_id is null or r.last_read_message_id < m.id) ',
        '',
        'who has read a message is notified',
      ],
      [
        'm.id = any(${ids}::uuid[]) and m.id > ${lowestIdAt(since)}',
        'm.id = any(${ids}::uuid[])',
        'a console that comes back notifies of each old message',
      ],
      [
        'where n.workspace_id = $1 and n.user_id = $2 and',
        'where n.workspace_id = $1 and $2::uuid is not null and',
        'mentions of others notify',
      ],
      ['and m.actor_id is distinct from $2 and ${visible}', 'and ${visible}', 'who mentions themselves is notified'],
      [
        'sql<boolean>`c.contact_id is not null`,\n      ...byChoice,\n      ...(own_teams_only ? [isVisibleTo(user_id)] : []),',
        'sql<boolean>`c.contact_id is not null`,\n      ...byChoice,',
        'hidden conversations notify',
      ],
      [
        '...(settings.mentions ? await listMentions(connection, viewer, messages, since) : []),',
        '...(await listMentions(connection, viewer, messages, since)),',
        'mentions notify who turned them off',
      ],
    ],
  ),
  ...faultsIn(
    'server/src/inbox/presences.ts',
    ['server/test/presence.test.ts'],
    [
      [
        'where workspace_id = $1 and user_id = $2 and conversation_id = $3\n  returning',
        'where workspace_id = $1 and $2::uuid is not null and conversation_id = $3\n  returning',
        'who leaves takes the others along',
        others,
      ],
      [
        '  await deleteExpired(tx, [workspace_id, user_id, clock.now(), id]);\n',
        '',
        'presences of crashed browsers stay for ever',
      ],
      [
        'clock.nowMs() + expires_in_seconds * 1000',
        'clock.nowMs() + 30_000',
        'a presence outlives the time that its browser said',
      ],
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
        '  else await lockUser(tx, [editor.workspace_id, editor.user_id]);\n',
        '',
        'two changes at one moment order own views by older rows',
      ],
      [
        '  if (shared) await lockWorkspace(tx, [editor.workspace_id]);\n  else',
        '  if (!shared)',
        'two changes at one moment order shared views by older rows',
      ],
      [
        '...(user_id && { for_user_id: user_id })',
        '',
        "everybody is told of a person's own views",
        ['server/test/inbox-live.test.ts'],
      ],
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
  ...faultsIn(
    'server/src/inbox/saved-views.ts',
    ['server/test/saved-views.test.ts'],
    [
      [
        "  if (!view) throw new Refusal('not_found');\n  refuseSharing(editor, view.user_id === null);\n",
        "  if (!view) throw new Refusal('not_found');\n",
        'an agent changes a view of all',
      ],
      [
        'user_id is not distinct from $2 order by position',
        '$2::uuid is not distinct from $2 order by position',
        "own views are placed among everybody's",
      ],
    ],
  ),
  ...faultsIn(
    'server/src/inbox/canned-replies.ts',
    ['server/test/canned-replies.test.ts'],
    [
      ['  refuseSharing(editor, reply.user_id === null);\n', '', 'an agent changes a canned reply of all'],
      [
        '  await lockGroup(tx, editor, shared);\n  await refuseSameName',
        '  await refuseSameName',
        'two canned replies get one name at one moment',
      ],
      [
        '  await lockGroup(tx, editor, user_id === null);\n',
        '',
        'a canned reply is renamed to a name that another gets at this moment',
      ],
      [
        '  await refuseSameName(tx, workspace_id, reply);\n  const query',
        '  const query',
        'a canned reply is renamed to the name of another',
      ],
      [
        "is('language', 'is', null), is('language', '=', language)",
        "is('language', '=', language)",
        'canned replies for any language are not found by one',
      ],
    ],
  ),
  ...faultsIn('server/src/inbox/view-filter.ts', limitedMatrix, [
    [
      '  await refuseHidden(connection, viewer, { contact_id: contact });\n',
      '',
      'a limited person names a hidden contact in a view',
    ],
  ]),
  ...faultsIn('server/src/inbox/forget.ts', rights, [
    [
      "statement('delete from read_marks where workspace_id = $1 and user_id = $2'),",
      '',
      'read marks outlive the membership',
    ],
    [
      "statement('delete from saved_views where workspace_id = $1 and user_id = $2'),",
      '',
      'own views outlive the membership',
    ],
    [
      "statement('delete from canned_replies where workspace_id = $1 and user_id = $2'),",
      '',
      'own canned replies outlive the membership',
    ],
    [
      "statement('delete from notification_settings where workspace_id = $1 and user_id = $2'),",
      '',
      'settings outlive the membership',
    ],
    ["statement('delete from drafts where workspace_id = $1 and user_id = $2'),", '', 'drafts outlive the membership'],
    [
      "statement('delete from drafts where workspace_id = $1 and conversation_id = any ($2::uuid[])'),",
      '',
      'drafts outlive the erased contact',
      ['server/test/drafts.test.ts'],
    ],
  ]),
];
