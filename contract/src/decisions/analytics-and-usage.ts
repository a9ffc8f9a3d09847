import type { Decision } from './decision.ts';

export const analyticsDecisions: readonly Decision[] = [
  {
    open: 'The counts of the overview',
    chosen:
      '`open`, `unreplied` and `unassigned` count open conversations, snoozed ones included. `unreplied`: the last ' +
      'message is from the customer, notes aside. `unassigned`: there is no `assignee_id`.',
    because: 'The counts show waiting work, and a closed conversation waits for nobody.',
  },
  {
    open: '`stages` of the overview',
    chosen: 'Open and closed conversations. Every stage of the workspace is listed, with 0 if it has none.',
    because: 'The other figures of the overview count conversations too.',
  },
  {
    open: 'The start and the end of a day',
    chosen:
      'By the `timezone` of the workspace, with 23 or 25 hours when clocks change; in UTC without one. `from` and ' +
      '`to` are both included. A `from` after `to` gives 422.',
    because: 'The users mean their own dates, and the contract knows their time zone.',
  },
  {
    open: 'The text of `period`, and the default `interval`',
    chosen:
      '`2026-11-21`, `2026-W47` (weeks from Monday), `2026-11`. The default is a day. The first and the last ' +
      'period contain only the requested days.',
    because: 'ISO 8601 writes periods this way, and a day is the first of the three.',
  },
  {
    open: 'The rows of the analytics of conversations',
    chosen:
      'Without `group_by`, one row for each period, with zeros if nothing happened. With `group_by`, rows with ' +
      'activity only. More periods than a setting allows (4,000) give 422.',
    because: 'A chart needs rows without gaps. A range of ten thousand years must not slow the service for others.',
  },
  {
    open: 'The member that names the group of a row',
    chosen:
      '`channel_id`, `team_id`, `user_id` or `stage_id`, by the value of `group_by`; absent if the conversations ' +
      'have none. The schema does not name them.',
    because: 'The contract lists no member for it, and the rows need one. The names are from the contract.',
  },
  {
    open: 'The counts `new` and `closed`',
    chosen:
      '`new`: conversations created in the period, by their current group. `closed`: each closing in the period, ' +
      'by the group at that time.',
    because: 'A conversation begins once, and may be closed several times.',
  },
  {
    open: 'The start and the end of `first_response_p50_seconds` and `resolution_p50_seconds`',
    chosen:
      'First response: for conversations new in the period, from the first message of the customer to the next ' +
      'message of the business, by any sender. Resolution: from the creation or the last reopening to each closing ' +
      'in the period. A median without values is absent; an even number of values gives the mean of the middle ' +
      'two.',
    because: 'The contract says no more. The two medians then belong to the two counts beside them.',
  },
  {
    open: 'The messages in the analytics of messages',
    chosen:
      'Messages of the business without notes, by the day of acceptance. The counts are a funnel: a read message ' +
      'counts as delivered, and a delivered message counts as sent. `failed` stands beside it, and queued messages ' +
      'are in no count. `template` is the name, in all languages.',
    because: 'The counts of a broadcast relate in the same way.',
  },
  {
    open: 'When a message counts as `replied`',
    chosen: 'The customer wrote later in the same conversation, after any time.',
    because: 'The text of a message does not tell which message it answers, and any time limit would be invented.',
  },
  {
    open: 'Behavior when the wallet balance is exhausted',
    chosen: 'Nothing is refused. The fee is booked, and the balance may be negative.',
    because: 'The contract has no refusal for it.',
  },
  {
    open: 'A workspace without a wallet',
    chosen: 'Its balance is 0 less the fees; `currency` is absent.',
    because: 'A member without a value is absent.',
  },
  {
    open: 'The time and the amount of a conversation fee',
    chosen:
      'Once for each message that the channel platform reports as delivered or read and as billable, or once for ' +
      'each of its conversations if it charges by conversation. The booking is in the transaction of the status. ' +
      'The operator sets the price of each category; without a price there is no fee.',
    because: 'The platform charges this way. It reports the category of a message and never an amount.',
  },
  {
    open: 'The counts of usage',
    chosen:
      '`messages_sent` equals `sent` of the message analytics. `seats` is the number of users at the end of the ' +
      'last day. `conversations` counts reported prices of the platform, free ones included, by the day of the ' +
      'report. Variants count with their category (`marketing_lite`). Authentication and other categories are not ' +
      'counted.',
    because: 'The contract names three categories, and a fourth among them would make all of them wrong.',
  },
];
