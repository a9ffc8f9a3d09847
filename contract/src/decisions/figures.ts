import type { Decision } from './decision.ts';

export const figures: readonly Decision[] = [
  {
    open: 'What the overview counts',
    chosen:
      '`open`, `unreplied` and `unassigned` are of open conversations, snoozed ones among them: `unreplied` where the ' +
      'last message is the customer’s (a note is no message of either), `unassigned` where there is no `assignee_id`.',
    because: 'They tell what is waiting for somebody; a closed conversation waits for nobody.',
  },
  {
    open: 'What `stages` of the overview counts',
    chosen: 'Conversations, open and closed. Every stage of the workspace is named, with 0 where there is none.',
    because: 'So do the other figures of the overview.',
  },
  {
    open: 'Where a day begins and ends',
    chosen:
      'By the `timezone` of the workspace, with 23 or 25 hours where its clocks change; in UTC without one. `from` and ' +
      '`to` are both included; a `from` after `to` is refused with 422.',
    because: 'The dates are those of the people who ask, and the contract knows their time zone.',
  },
  {
    open: 'The text of `period`, and the `interval` where none is given',
    chosen:
      '`2026-11-21`, `2026-W47` (weeks from Monday), `2026-11`; a day. The first and the last period hold only those of ' +
      'their days that are asked for.',
    because: 'ISO 8601 writes them so, and a day is the first of the three.',
  },
  {
    open: 'Which rows the analytics of conversations have, and how many',
    chosen:
      'Without `group_by` one for each period, with zeros where nothing happened; with it those in which something ' +
      'happened. More periods than a setting allows (4,000) are refused with 422.',
    because: 'A chart needs its gaps filled, and a range of ten thousand years must not cost anybody else the service.',
  },
  {
    open: 'How a row says of which group it is',
    chosen:
      '`channel_id`, `team_id`, `user_id` or `stage_id`, after the word in `group_by`; left out where the conversations ' +
      'have none. The schema does not name them.',
    because:
      'The contract lists no member for it, and without one the rows could not be told apart. The names are its own.',
  },
  {
    open: 'What `new` and `closed` count',
    chosen:
      'Conversations that were created in the period, in the group where they stand now; and closings in the period, ' +
      'each time that a conversation was closed, in the group where it stood then.',
    because: 'A conversation begins once; it is closed as often as it is opened again.',
  },
  {
    open: 'Between which moments `first_response_p50_seconds` and `resolution_p50_seconds` lie',
    chosen:
      'From the first message of the customer in a conversation that is new in the period to the first of the business ' +
      'after it, whoever or whatever wrote that; from the creation or the last reopening to each closing in the period. ' +
      'A median of nothing is left out; of an even number it is the mean of the two in the middle.',
    because: 'The words say no more, and the two figures then belong to the two counts beside them.',
  },
  {
    open: 'Which messages the analytics of messages count',
    chosen:
      'Those that the business sent, without notes, on the day on which they were accepted. A funnel: who read was ' +
      'delivered, and who was delivered was sent; `failed` beside it; what is still queued in none. `template` is the ' +
      'name, in all its languages.',
    because: 'So the counts of a broadcast relate too.',
  },
  {
    open: 'When a message counts as `replied`',
    chosen: 'Once the customer wrote in the same conversation after it, however late.',
    because: 'What an answer is to cannot be told from its text, and any limit of time would be invented.',
  },
  {
    open: 'Behavior when the wallet balance is exhausted',
    chosen: 'Nothing is refused. The fee is booked, and the balance may go below zero.',
    because: 'It can stay open: the contract has no refusal for it.',
  },
  {
    open: 'The wallet of a workspace to which nobody gave one',
    chosen: 'Its balance is 0 less the fees; `currency` is left out.',
    because: 'A member without a value is left out.',
  },
  {
    open: 'When a conversation fee is drawn, and how much it is',
    chosen:
      'Once for each message that the channel platform reports as delivered or read and says to be billable, or for ' +
      'each of its conversations where it charges by those; in one transaction with the status. The price of its ' +
      'category is the operator’s; without one nothing is drawn.',
    because: 'So the platform charges. It reports the category of a message and never an amount.',
  },
  {
    open: 'What usage counts',
    chosen:
      '`messages_sent` as `sent` of the message analytics; `seats` the users there were at the end of the last day; ' +
      '`conversations` what the platform reported a price for, free ones too, on the day of the report. Variants count ' +
      'with their category (`marketing_lite`); authentication and other categories stand in none of the three.',
    because: 'The contract names three categories, and to put a fourth among them would make all of them wrong.',
  },
];
