import { faultsIn } from '../fault.ts';

export const faults = [
  ...faultsIn(
    'server/src/messages/rules.ts',
    ['server/src/messages/rules.test.ts', 'server/test/windows.test.ts'],
    [
      [
        'now.getTime() < expiresAt.getTime()',
        'now.getTime() <= expiresAt.getTime()',
        'the window is open at the moment of its end',
      ],
      [
        "if (state.blocked) return new Refusal('contact_blocked');",
        '',
        'a blocked contact is written to',
        ['server/test/sending-refusals.test.ts', 'server/test/sending.test.ts'],
      ],
      [
        "state.status === 'closed' && !intent.reopens",
        "state.status === 'closed' && intent.reopens",
        'a reply to a closed conversation is sent',
        ['server/test/sending-refusals.test.ts', 'server/test/sending.test.ts'],
      ],
      [
        "bot?.kind === 'workflow_run' && bot.id === state.workflow_run_id",
        "bot?.kind === 'workflow_run'",
        'a run without control of the conversation sends',
        ['server/src/messages/rules.test.ts', 'server/test/workflow-control.test.ts'],
      ],
      [
        'return bot?.needs_control ?',
        'return false ?',
        'an agent that lost control speaks over a person',
        ['server/test/ai-takeover.test.ts'],
      ],
      [
        "if (reported === 'failed') return current.status === 'queued' || current.status === 'sent';",
        "if (reported === 'failed') return true;",
        'a late failure undoes a delivery',
        ['server/src/messages/rules.test.ts', 'server/test/statuses.test.ts'],
      ],
      [
        'ranks[reported] > ranks[current.status]',
        'ranks[reported] >= ranks[current.status]',
        'a repeated status is told twice',
        ['server/test/statuses.test.ts', 'server/src/messages/rules.test.ts'],
      ],
      [
        'if (state.is_marketing && !state.marketing_opt_in)',
        'if (false)',
        'a withdrawn opt-in is ignored at the dispatch',
        ['server/test/dispatch-later.test.ts'],
      ],
      [
        'if (state.is_cancelled) return cancelledReason;',
        '',
        'a cancelled broadcast is still sent',
        ['server/test/broadcasts.test.ts', 'server/test/dispatch-later.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/messages/accept/find-targets.ts',
    ['server/test/sending.test.ts', 'server/test/sending-refusals.test.ts'],
    [
      [
        "and t.language = w.template_language and t.status = 'approved'",
        'and t.language = w.template_language',
        'a template that is not approved is accepted',
        ['server/test/templates-sending.test.ts', 'server/test/sending-refusals.test.ts'],
      ],
      [
        "and r.id = w.reply_to_id and r.kind <> 'note'",
        'and r.id = w.reply_to_id',
        'a note is quoted to the customer',
        ['server/test/sending-refusals.test.ts', 'server/test/conversation-notes.test.ts'],
      ],
      [
        'left join messages r on r.workspace_id = w.workspace_id and r.id',
        'left join messages r on r.id',
        'a message of another workspace is quoted',
        ['server/test/tenant-statements.test.ts', 'scripts/check-database.ts'],
      ],
      [
        'case when count(*) = 1 then',
        'case when count(*) >= 1 then',
        'a send without a number takes any of several',
        ['server/test/sending-refusals.test.ts', 'server/test/sending.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/messages/accept/refuse-target.ts',
    ['server/test/sending.test.ts', 'server/test/sending-refusals.test.ts'],
    [
      ['(!target.reply_to_id || quotesOther)', '!target.reply_to_id', 'a message of another conversation is quoted'],
      [
        'target.owner_contact_id !== target.contact_id) {',
        'target.owner_contact_id === undefined) {',
        'a message goes to a number of another contact',
      ],
    ],
  ),
  ...faultsIn(
    'server/src/messages/accept/send-messages.ts',
    ['server/test/sending.test.ts', 'server/test/sending-refusals.test.ts'],
    [
      [
        'if (contacts.some(({ is_new }) => !is_new)) throw',
        'if (contacts.length < 0) throw',
        'a contact that was blocked meanwhile is written to',
        ['server/test/two-spellings.test.ts', 'server/test/races.test.ts'],
      ],
      [
        'const is_reply = broadcast_id === undefined && !is_automatic;',
        'const is_reply = true;',
        'a broadcast counts as the reply that a customer waits for',
        ['server/test/broadcasts.test.ts', 'server/test/analytics.test.ts', 'server/test/contact-activity.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/messages/accept/find-repeated-recipients.ts',
    ['server/test/broadcasts.test.ts'],
    [['if (seen.has(key)) repeats.add(n);', '', 'a contact with two numbers gets a broadcast twice']],
  ),
  ...faultsIn(
    'server/src/messages/accept/compose-content.ts',
    ['server/src/messages/accept/compose-content.test.ts'],
    [
      [
        'return fault && invalid(fault);',
        'return undefined;',
        'what the platform is known to refuse is accepted',
        ['server/test/sending-refusals.test.ts', 'server/src/messages/accept/compose-content.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/messages/accept/refuse-template.ts',
    ['server/test/quotes.refused-templates.test.ts'],
    [
      [
        "category !== 'marketing' || marketing_opt_in)",
        "category !== 'marketing' || marketing_opt_in !== false)",
        'a contact who was never asked gets marketing',
        [
          'server/test/templates-sending.test.ts',
          'server/test/sending-refusals.test.ts',
          'server/src/messages/accept/compose-content.test.ts',
        ],
      ],
      ["?.startsWith('+')) {", "?.startsWith('')) {", 'a one-time code goes to who has no known number'],
    ],
  ),
  ...faultsIn(
    'server/src/messages/dispatch/begin-dispatches.ts',
    ['server/test/dispatch.test.ts', 'server/test/dispatch-later.test.ts'],
    [
      [
        'case when ch.fault_until > $2 then ch.fault end',
        'ch.fault',
        'a number whose fault is over stays silent',
        ['server/test/dispatch-channels.test.ts'],
      ],
      [
        'const started = await transaction(pool, (tx) => start(tx, jobs, now), lock_wait);',
        'await transaction(pool, (tx) => start(tx, jobs, now), lock_wait);\n  const started = new Set(jobs.map(({ id }) => id));',
        'a message that another process has is sent twice',
        [
          'server/test/faults/paused-worker.test.ts',
          'server/test/dispatch-crash.test.ts',
          'server/test/pacing.test.ts',
        ],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/messages/dispatch/deliver-message.ts',
    ['server/test/dispatch.test.ts', 'server/test/dispatch-later.test.ts'],
    [
      [
        "dispatch.status !== 'queued') return { type: 'done' };",
        "false) return { type: 'done' };",
        'a message that has failed is sent',
        ['server/test/dispatch.test.ts', 'server/test/dispatch-crash.test.ts', 'server/test/dispatch-later.test.ts'],
      ],
      [
        'if (job.started_at) {',
        'if (job.started_at && !job) {',
        'an interrupted send is sent again',
        ['server/test/dispatch-later.test.ts', 'server/test/dispatch-crash.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/messages/dispatch/record-dispatch.ts',
    ['server/test/dispatch.test.ts'],
    [
      [
        'await enqueueJobs(tx, [expireUnknownOutcomeJob(ref, channel_id, until)]);',
        'await enqueueJobs(Object.assign(Object.create(pool), { announce: tx.announce }), [expireUnknownOutcomeJob(ref, channel_id, until)]);',
        'the end of an unknown outcome is enqueued in a transaction of its own',
      ],
    ],
  ),
  ...faultsIn(
    'server/src/messages/dispatch/decide-retry.ts',
    ['server/src/messages/dispatch/decide-retry.test.ts', 'server/test/dispatch.test.ts'],
    [
      ['age_ms > giveUpAfterMs', 'age_ms >= giveUpAfterMs', 'a message of exactly a day fails'],
      ['doubtful + 1 >= doubtfulTries', 'doubtful >= doubtfulTries', 'a doubtful message is tried once too often'],
    ],
  ),
  ...faultsIn(
    'server/src/messages/dispatch/readdress-messages.ts',
    ['server/test/changed-numbers.test.ts'],
    [['and j.started_at is null', '', 'a message under way changes its recipient']],
  ),
  ...faultsIn(
    'server/src/messages/receive/advance-statuses.ts',
    ['server/test/statuses.test.ts', 'server/test/wallet.test.ts'],
    [
      [
        'and m.channel_id = r.channel_id\n    union all',
        '\n    union all',
        'a report of one number changes a message of another',
        ['server/test/statuses.test.ts', 'server/test/wallet.test.ts'],
      ],
      [
        'if (isNews) events.push',
        'events.push',
        'one status is told by two events',
        ['server/test/statuses.test.ts', 'server/test/dispatch.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/messages/receive/receive-messages.ts',
    ['server/test/receiving.test.ts'],
    [
      [
        'stored.has(row.id) ?',
        'true ?',
        'a repeated notification is told twice',
        ['server/test/receiving.test.ts', 'server/test/receiving-order.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/messages/receive/fetch-media.ts',
    ['server/test/media-receiving.test.ts', 'server/test/long-jobs.test.ts'],
    [
      [
        'if ((await finish(tx, [job])) === 0 || !message) return false;',
        'if ((await finish(tx, [job])) === 0) return false;',
        'the file of an erased message is stored',
        ['server/test/erase-contact.test.ts', 'server/test/media-receiving.test.ts'],
      ],
      [
        "if (message.direction === 'inbound' && !message.is_imported) {",
        'if (!awaited) {',
        'a message with a file has no event',
        ['server/test/media-receiving.test.ts'],
      ],
      [
        'await holdLease(pool, job, config.leaseSeconds, () => fetchOnce(awaited, channel))',
        'await fetchOnce(awaited, channel)',
        'a long download does not renew its lease',
        ['server/test/long-jobs.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/messages/notes/find-mentions.ts',
    ['server/src/messages/notes/find-mentions.test.ts'],
    [
      [
        'if (place.ids.length > 0) found = place.ids;',
        'if (place.ids.length > 0 && found.length === 0) found = place.ids;',
        'Jean-Luc is not told of a note that names him',
      ],
    ],
  ),
  ...faultsIn(
    'server/src/messages/queries.ts',
    ['server/test/receiving.test.ts', 'server/test/statuses.test.ts'],
    [
      [
        "m.outcome_unknown and m.status = 'failed'",
        'false',
        'a late status cannot lift the failure of an unknown outcome',
        ['server/test/dispatch.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/messages/history/import-phone-history.ts',
    ['server/test/phone-history.test.ts'],
    [
      ['{ is_silent: true }', '{ is_silent: false }', 'an imported contact is an event'],
      ["status: 'closed' as const", "status: 'open' as const", 'imported conversations fill the inbox'],
      ['created_at: at });', 'created_at: now });', 'imported messages have the time of the import'],
    ],
  ),
  ...faultsIn(
    'server/src/messages/receive/insert-reported.ts',
    ['server/test/phone-history.test.ts'],
    [
      [
        'if (stored.size === rows.length) return stored;',
        'return stored;',
        'a new message that the history overlaps with opens no window',
      ],
    ],
  ),
  ...faultsIn(
    'server/src/messages/receive/record-calls.ts',
    ['server/test/platform-calls.test.ts'],
    [
      [
        "if (!isFirst || by !== 'customer') return;",
        'if (!isFirst) return;',
        'a call of the business opens the window',
      ],
      ["if (!isFirst || by !== 'customer') return;", 'return;', 'a call of the customer opens no window'],
      [
        "const isEnded = known?.is_ended || event === 'ended';",
        "const isEnded = event === 'ended';",
        'a late report forgets the end of a call',
      ],
    ],
  ),
  ...faultsIn(
    'server/src/messages/receive/record-message-reports.ts',
    ['server/test/platform-message-reports.test.ts'],
    [
      [
        'return one[place]! > other[place]! ?',
        'return one[place]! < other[place]! ?',
        'an older state of a payment replaces a newer one',
      ],
      ['subject: click_id', 'subject: `${click_id} ${clock.nowMs()}`', 'a repeated click is a second line'],
    ],
  ),
];
