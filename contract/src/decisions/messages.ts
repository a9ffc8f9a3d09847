import type { Decision } from './decision.ts';

export const messageDecisions: readonly Decision[] = [
  {
    open: 'From which states `failed` can be entered',
    chosen: 'From every state in which the channel platform can still report it. A status never moves backwards.',
    because: 'The platform reports facts, and the service stores them.',
  },
  {
    open: '`failed` after `delivered` or `read`, and `delivered` after `failed`',
    chosen:
      'A later report of delivery replaces `failed` and clears `error`. `failed` never replaces `delivered` or ' +
      '`read`.',
    because: 'The more certain fact wins: a message that was read was delivered.',
  },
  {
    open: 'When a message is `sent`',
    chosen: 'When the channel platform reports that status, not when it accepts the call.',
    because: 'The contract moves the status by "platform delivery progress", and acceptance is no delivery progress.',
  },
  {
    open: 'A status that the channel platform skips',
    chosen: 'The service does not invent it: one event reports the reached status.',
    because: 'An event states a fact.',
  },
  {
    open: 'A send with an unknown outcome, because the connection broke after the request was written',
    chosen:
      'It is never sent again. It waits for a status that names the message, 15 minutes by default. Then it is ' +
      '`failed`, and `error` says that the outcome is unknown.',
    because: 'The channel platform has no idempotency key, and a customer must never get a message twice.',
  },
  {
    open: 'Behavior when both `to` and `contact_id` are given, or `to` is absent with `contact_id`',
    chosen: '`contact_id` alone is enough. Both are accepted if they name the same contact; otherwise 422.',
    because: 'The contract calls `contact_id` the alternative to `to`.',
  },
  {
    open: 'No `channel_id`, and the workspace has several channels',
    chosen: '422.',
    because: '`channel_id` is optional only "when the workspace has one channel".',
  },
  {
    open: 'POST /v1/messages to a contact whose conversation is closed',
    chosen: 'The conversation is reopened, and the message is sent.',
    because: 'The contract names this call as the remedy for `conversation_closed`.',
  },
  {
    open: 'The order of refusals when several apply',
    chosen:
      'The body (422), the lookups of template and media (422), `contact_blocked`, `conversation_closed`, ' +
      '`bot_in_control`, `window_closed`. Both sends use this order, but POST /v1/messages reopens the ' +
      'conversation.',
    because:
      'The order goes from the request to the state of the workspace. The window comes last, because it reopens ' +
      'without a change by the caller.',
  },
  {
    open: 'A marketing template to a contact without opt-in',
    chosen: '422 `unprocessable_content`, with a `detail` that names `consents.chatapp_marketing`.',
    because: 'The contract requires the opt-in and gives no code of its own for it.',
  },
  {
    open: 'The order of `template.params` when several components have variables',
    chosen: 'One list in the order of the components: header, body, buttons.',
    because: 'A reader sees the components in this order.',
  },
  {
    open: 'Line breaks, tabs and more than four spaces in a row in `template.params`',
    chosen: 'They are sent as one space, or as four spaces. `body` shows the text that was sent.',
    because: 'The platform refuses them. An address of two lines must not fail a send.',
  },
  {
    open: 'Messages already accepted when the conversation closes, a bot takes over or the contact is blocked',
    chosen:
      'They are sent, with two exceptions. Messages to a contact who was blocked since then, and marketing ' +
      'templates after the opt-in was withdrawn, are `failed` with that reason.',
    because:
      `\`blocked\` "stops all outbound messages to the contact", and marketing templates "require the contact's ` +
      'opt-in". The other states refuse new messages only.',
  },
  {
    open: 'resulting state name not shown (snooze)',
    chosen:
      '`status` does not change. Lists leave a snoozed conversation out until the snooze ends; its id still finds ' +
      'it.',
    because: 'The contract says that it is hidden, and names no state.',
  },
  {
    open: 'A message of the contact on a closed conversation',
    chosen: 'It reopens the conversation. A contact has one conversation for each channel.',
    because: 'Nobody would see a reply in a closed conversation.',
  },
  {
    open: 'Several conversations of one contact on one channel, after a merge',
    chosen: 'The conversation with the latest activity is used.',
    because: 'Both sides used this conversation last.',
  },
  {
    open: 'The reset of `unread_count`',
    chosen:
      'A reply of the business, or opening the conversation in a future console. A broadcast is no reply, and no first ' +
      'response in the analytics.',
    because: 'Both show that a person has read the messages; a broadcast does not.',
  },
  {
    open: 'The start of the 24-hour window',
    chosen:
      "The platform's timestamp of the inbound message. An older message never shortens the window. `created_at` " +
      'is the time of storage.',
    because: 'The channel platform counts from that timestamp, and enforces the window too.',
  },
  {
    open: 'The `tags` of a conversation',
    chosen: 'They are the tags of the contact, and the filter `tag` uses them.',
    because: 'No operation sets other tags.',
  },
  {
    open: 'The stages of a contact and of its conversation',
    chosen: 'They are two fields, each with its own operation.',
    because: 'Both resources of the contract have the field, and the contract does not connect them.',
  },
  {
    open: 'Notes in the list of messages',
    chosen: 'They are listed, with `kind` `note`, `direction` `outbound` and no `status`.',
    because: 'A note is a Message in the contract, and it has no delivery.',
  },
];
