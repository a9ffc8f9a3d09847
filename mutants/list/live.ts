import { faultsIn } from '../fault.ts';

const rights = ['server/test/live-stream-rights.test.ts', 'server/test/live-stream-property.test.ts'];
const stream = ['server/test/live-stream.test.ts', 'server/test/live-stream-resumes.test.ts'];
const personal = ['server/test/inbox-live.test.ts'];
const toldRows = ['server/test/live-rows.test.ts'];
const feed = ['server/test/live-feed.test.ts'];
const bounds = ['server/test/live-stream-bounds.test.ts'];

export const faults = [
  ...faultsIn('server/src/live/feed.ts', rights, [
    [
      'select position from live_feed for update',
      'select position from live_feed',
      'two processes give the same place to two changes',
      ['server/test/live-feed.test.ts'],
    ],
    [
      '    if (placed!.up_to !== null) await forget(tx, [placed!.up_to]);\n',
      '',
      'a client behind deleted changes goes on with a gap',
      feed,
    ],
    [
      '    if (unplaced!.count > 0) await forgetAll(tx, []);\n',
      '',
      'a client goes on behind changes that were deleted before they had a position',
      feed,
    ],
    [
      'set position = position + 1, forgotten = position + 1',
      'set forgotten = position',
      'a client at the end of the feed goes on behind changes that never had a position',
      feed,
    ],
  ]),
  ...faultsIn('server/src/live/rights.ts', toldRows, [
    [
      'return mayReadIt && own.has(member.user_id) && sees(member, assignee_id, team_id);',
      'return mayReadIt && own.has(member.user_id);',
      'a row is told to somebody who sees the change of its contact alone',
    ],
  ]),
  ...faultsIn('server/src/live/read-rows-of.ts', toldRows, [
    ['count > mostRowsAtOnce || ', '', 'a broadcast tells every console thousands of rows'],
    [
      "const changesContact = ({ kind, object_id }: FedChange) => kind === 'contact' && object_id !== null;",
      'const changesContact = (_: FedChange) => false;',
      'a new name is in no row',
    ],
  ]),
  ...faultsIn('server/src/live/deliver-changes.ts', toldRows, [
    ['return before + text;', 'return text + before;', 'a change that says it is in its row comes before the row'],
    ['if (!isShown(change, row) || ', 'if (', 'the status of an earlier message tells a row that has not changed'],
    [
      'isPersonal = told.some((change) => change.for_user_id !== null || rows.get(change))',
      'isPersonal = told.some((change) => change.for_user_id !== null)',
      "a person is told another's unread messages",
    ],
  ]),
  ...faultsIn('server/src/live/deliver-changes.ts', rights, [
    [
      'const member = byWorkspace.get(change.workspace_id);',
      'const member = byWorkspace.get(change.workspace_id) ?? memberships[0];',
      'a stream is told of another workspace',
    ],
    ['(isPersonal || team_ids ? user_id', '(isPersonal ? user_id', 'two agents of own teams are told the same'],
    [
      'change.position > position ?',
      'change.position >= position ?',
      'the change at the point of a resume is told twice',
      stream,
    ],
    [
      'if (change.former_assignee_id !== null || change.former_team_id !== null) return true;',
      '',
      'a conversation that left the view is never removed from it',
      rights,
    ],
  ]),
  ...faultsIn('server/src/live/rights.ts', rights, [
    [
      'if (change.for_user_id !== null && change.for_user_id !== member.user_id) return undefined;',
      '',
      "a person is told of another's drafts and marks",
      ['server/test/inbox-live.test.ts'],
    ],
    [
      "if (change.is_present && sees(member, change.assignee_id, change.team_id)) return 'change';",
      "if (change.is_present) return 'change';",
      'an agent is told of hidden conversations',
    ],
    ["? 'removed' : undefined;", '? undefined : undefined;', 'an agent keeps a conversation that was assigned away'],
    ['if (!mayRead(change.kind, member)) return undefined;', '', 'an agent is told of broadcasts'],
    [
      '(team_id !== null && team_ids.includes(team_id))',
      'team_id !== null',
      "an agent is told of other teams' conversations",
    ],
  ]),
  ...faultsIn('server/src/live/live-streams.ts', rights, [
    [
      "if (changes.some(({ kind }) => kind === 'rights')) await refreshRights(told);",
      '',
      'a person is told a change that came after the loss of a right',
      rights,
    ],
    ["if (!open.has(stream.session_id)) stream.end('signed_out');", '', 'a stream outlives its session', bounds],
    [
      "if (memberships.length === 0) stream.end('not_a_member');\n      else tellReset",
      'tellReset',
      'a removed person keeps a stream',
      bounds.concat(rights),
    ],
    [
      'if (own.length >= streamsPerPerson)',
      'if (own.length > streamsPerPerson)',
      'a person has more streams than twenty',
      stream,
    ],
    [
      'missed.length > mostBehind;',
      'missed.length < 0;',
      'a client that is far behind gets a part of what it missed',
      stream,
    ],
    ['at >= forgotten && at <= position', 'at >= forgotten', 'an id of nowhere hides what comes next', stream],
    [
      'stream.position = last.position;\n    stream.write(frame(resetBy',
      'stream.write(frame(resetBy',
      'a client is told changes twice behind a reset',
      stream,
    ],
    ['onceClosed(response, () => streams.delete(stream));', '', 'a client that left keeps its place', bounds],
    ['setInterval(beat,', 'setInterval(() => {},', 'a quiet stream is closed by proxies', stream],
    ['own: count }', 'own: 0 }', 'one workspace takes all streams of a process', bounds],
    ['places: streams_max,', 'places: streams_max + 1,', 'a process has more streams than its bound', bounds],
    [
      'life === epoch && at >= forgotten',
      'life === epoch && at >= 0',
      'a client behind deleted changes is told nothing',
      stream,
    ],
    [
      "return missed.some(isOwn) ? 'rights' : undefined;",
      'return undefined;',
      'a person whose rights changed during a cut keeps the old state',
      rights,
    ],
  ]),
  ...faultsIn('server/src/live/publish-live.ts', personal, [
    [
      'select workspace_id, kind, conversation_id, object_id, for_user_id, details\n',
      'select workspace_id, kind, conversation_id, object_id, null::uuid, details\n',
      'everybody is told what is for one person',
    ],
  ]),
  ...faultsIn('server/src/live/live-stream.ts', bounds, [
    [
      'if (response.writableLength > mostUnreadBytes) response.destroy();\n      else response',
      'response',
      'a client that reads nothing fills the memory',
    ],
  ]),
];
