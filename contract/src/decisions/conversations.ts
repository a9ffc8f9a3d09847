import type { Decision } from './decision.ts';

export const conversationDecisions: readonly Decision[] = [
  {
    open: 'Closing a conversation that is closed, reopening one that is open',
    chosen: '200, and nothing changes. The first closing reason and summary stay, and no survey is sent.',
    because: 'The requested state exists already. The contract states no refusal for it.',
  },
  {
    open: 'An assignee, team, stage, closing reason or AI agent that the workspace does not have',
    chosen: '422 with a `pointer` to the member, and nothing changes.',
    because: 'The body is at fault; 404 is for the conversation in the path.',
  },
  {
    open: 'A body of assign or stage without a member',
    chosen: 'An absent member stays unchanged; `null` clears it.',
    because: 'The contract uses `null` for clearing and does not require the members.',
  },
  {
    open: 'The storage of `category_id` and `summary`',
    chosen: 'They are stored with each closing and remain when the conversation is reopened.',
    because: 'The contract says that they are recorded, and has no field that shows them.',
  },
  {
    open: 'The message of `send_csat`, and a survey that may not be sent',
    chosen:
      'A text of the operator (`csat_text` of the workspace file), or a neutral question in the language of the ' +
      'workspace. The rules for sends apply to it before the conversation closes. If they refuse it, the ' +
      'conversation closes, and a note states the reason.',
    because: 'The contract names a satisfaction survey and no more. A refusal would leave the conversation open.',
  },
  {
    open: '`ai_agent_id` when `to` is `human`',
    chosen: 'It is ignored.',
    because: 'The contract defines it only "when `to` is `bot`". The contract states no refusal for it.',
  },
  {
    open: '`to` is `bot` without `ai_agent_id`',
    chosen: 'A bot controls the conversation, and no agent is named.',
    because: 'The member is optional in the contract.',
  },
  {
    open: '`until` of snooze in the past',
    chosen: '422 with a `pointer`.',
    because: 'The snooze would have no duration.',
  },
  {
    open: 'Other ends of a snooze than its time and a message of the contact',
    chosen: 'None: a reply, a note, closing and reopening do not end it. A new snooze sets a new time.',
    because: 'The contract names these two.',
  },
  {
    open: 'The effect of a note on its conversation',
    chosen:
      'None: its position in the list, `unread_count`, window and status stay the same. A note can be added in ' +
      'every state.',
    because: 'A note is no message to or from the contact.',
  },
  {
    open: 'An empty note',
    chosen: '422.',
    because: 'The contract requires `body`.',
  },
  {
    open: 'The users that `@FirstName` names',
    chosen:
      'All users of the workspace whose name begins with this word. Case and spelling of Arabic letters make no ' +
      'difference. The name ends at the end of the word. An `@` inside an e-mail address names nobody.',
    because: 'The contract says "that teammate". If several share a name, each of them may be meant.',
  },
  {
    open: 'How a mention notifies',
    chosen:
      'The mention is stored for a future console. If the operator has configured a mail server, one e-mail is sent. If ' +
      'the connection breaks during the text, the e-mail is not repeated.',
    because: 'After a broken connection, the sender cannot know whether the mail server accepted the e-mail.',
  },
  {
    open: 'Quoting a note in a message (`reply_to_id`)',
    chosen: '422, as for a message of another conversation.',
    because: 'Notes never reach the contact.',
  },
  {
    open: 'Round-robin assignment of new conversations',
    chosen:
      'At the first message of the customer, a conversation without assignee goes to the next available user with ' +
      'the role `agent`. `assignment: none` in the workspace file turns this off. A conversation that the business ' +
      'begins stays unassigned until the customer answers. Closing and reopening keep the assignee.',
    because:
      'The contract describes round-robin assignment that skips unavailable users, and agents who answer. The ' +
      'creator of an API key is no agent.',
  },
  {
    open: 'The strings in `teams` of a user',
    chosen: 'The ids of the teams.',
    because: 'A team names its members by id too.',
  },
  {
    open: '`last_active_at` of a user',
    chosen:
      'The last activity that the service knows; otherwise absent. A call with an API key is no activity of its ' +
      'creator.',
    because: 'Programs use keys.',
  },
];
