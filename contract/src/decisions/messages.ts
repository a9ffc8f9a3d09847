import type { Decision } from './decision.ts';

export const messages: readonly Decision[] = [
  {
    open: 'From which states `failed` can be entered',
    chosen:
      'From every state in which the channel platform can still report it. A status never moves back along the chain.',
    because: 'The platform reports what happened; the service does not doubt it.',
  },
  {
    open: '`failed` after `delivered` or `read`, and `delivered` after `failed`',
    chosen:
      'A delivery that is reported later lifts `failed` and clears `error`. `failed` never undoes `delivered` or `read`.',
    because: 'The better-known fact wins: a message that was seen was delivered.',
  },
  {
    open: 'When a message is `sent`',
    chosen: 'When the status of the channel platform says so, not when it accepts the call.',
    because: 'The contract moves the status by "platform delivery progress", and acceptance is not yet that.',
  },
  {
    open: 'A status that the channel platform skips',
    chosen: 'It is not invented: there is one event, for the state that was reached.',
    because: 'An event says what happened.',
  },
  {
    open: 'A send whose outcome is unknown, because the connection broke after the request was written',
    chosen:
      'It is never sent again. It waits for a status that names the message, 15 minutes unless set otherwise, and is ' +
      'then `failed` with an `error` that says the outcome is unknown.',
    because: 'The channel platform has no idempotency key, and a customer must never get a message twice.',
  },
  {
    open: 'Behavior when both `to` and `contact_id` are given, or `to` is absent with `contact_id`',
    chosen: '`contact_id` alone is enough. Both are accepted when they name the same contact; otherwise 422.',
    because: 'The contract calls `contact_id` the alternative to `to`.',
  },
  {
    open: 'No `channel_id`, and the workspace has several channels',
    chosen: '422.',
    because: 'The contract makes it optional only "when the workspace has one channel".',
  },
  {
    open: 'POST /v1/messages to a contact whose conversation is closed',
    chosen: 'The conversation is reopened, and the message is sent.',
    because: 'The contract names this call as the remedy for `conversation_closed`.',
  },
  {
    open: 'Which refusal comes first when several hold',
    chosen:
      'The body (422), the lookups of template and media (422), `contact_blocked`, `conversation_closed`, ' +
      '`bot_in_control`, `window_closed`. The same on both sends, save that POST /v1/messages reopens.',
    because:
      'It goes from what the caller wrote to what the world is like; the window comes last as it alone passes by itself.',
  },
  {
    open: 'A marketing template to a contact without opt-in',
    chosen: '422 `unprocessable_content`, with a `detail` that names `consents.chatapp_marketing`.',
    because: 'The contract requires the opt-in and gives no code of its own for it.',
  },
  {
    open: 'The order of `template.params` when several components have variables',
    chosen: 'One list in the order of the components: header, body, buttons.',
    because: 'It is the order in which a reader meets them.',
  },
  {
    open: 'Line breaks, tabs and more than four spaces in a row in `template.params`, which the platform refuses',
    chosen: 'Sent as one space, or four, and shown in `body` as sent.',
    because: 'A send does not fail for an address of two lines, and what is shown is what the customer got.',
  },
  {
    open: 'Messages already accepted when the conversation closes, a bot takes over or the contact is blocked',
    chosen:
      'They are sent, except to a contact blocked meanwhile, and marketing templates to one who withdrew the opt-in: ' +
      'those are `failed` with that reason.',
    because:
      '`blocked` "stops all outbound messages to the contact", and marketing templates "require the contact\'s opt-in"; ' +
      'the other states refuse new messages only.',
  },
  {
    open: 'resulting state name not shown (snooze)',
    chosen:
      '`status` does not change. A snoozed conversation is left out of lists until it wakes, and still answers by its id.',
    because: 'The contract says that it is hidden, and names no state.',
  },
  {
    open: 'A message of the contact on a closed conversation',
    chosen: 'It reopens the conversation. A contact has one conversation per channel.',
    because: 'A reply that lands in a closed conversation would be seen by nobody.',
  },
  {
    open: 'Several conversations of one contact on one channel, after a merge',
    chosen: 'The one with the latest activity is used.',
    because: 'It is the one that both sides have before their eyes.',
  },
  {
    open: 'What sets `unread_count` back to 0',
    chosen:
      'A reply of the business, or opening the conversation in the console, once there is one. A broadcast is no reply, ' +
      'nor a first response in the figures.',
    because: 'Both show that somebody has read it; who writes to thousands has read nobody.',
  },
  {
    open: 'From which moment the 24 hours of the window count',
    chosen:
      "The platform's timestamp of the inbound message; an older message never moves the end back. `created_at` is the " +
      'moment of storing.',
    because: 'The channel platform counts from there, and it enforces the window too.',
  },
  {
    open: 'Where the `tags` of a conversation come from',
    chosen: 'They are the tags of the contact, and the filter `tag` asks for them.',
    because: 'No operation sets others.',
  },
  {
    open: 'Whether the stages of a contact and of its conversation are one',
    chosen: 'They are two fields, each set by its own operation.',
    because: 'The contract has the field in both resources and joins them nowhere.',
  },
  {
    open: 'Notes in the list of messages',
    chosen: 'They are listed, with `kind` `note`, `direction` `outbound` and no `status`.',
    because: 'The contract makes a note a Message, and it has no delivery.',
  },
];
