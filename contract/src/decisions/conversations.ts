import type { Decision } from './decision.ts';

const noRefusal = 'The contract states no refusal for it.';

export const conversations: readonly Decision[] = [
  {
    open: 'Closing a conversation that is closed, reopening one that is open',
    chosen: '200, and nothing changes: the first closing reason and summary stay, and no survey is sent.',
    because: `The state that was asked for is there. ${noRefusal}`,
  },
  {
    open: 'An assignee, team, stage, closing reason or AI agent that the workspace does not have',
    chosen: '422 with a `pointer` to the member, and nothing changes.',
    because: 'It is a body that cannot be acted on; 404 speaks of the conversation in the path.',
  },
  {
    open: 'A body of assign or stage that leaves a member out',
    chosen: 'What is not sent stays as it is; `null` clears it.',
    because: 'The contract gives `null` for clearing, and does not require the members.',
  },
  {
    open: 'What becomes of `category_id` and `summary`',
    chosen: 'They are kept with each closing, also after the conversation is opened again.',
    because: 'The contract says that they are recorded, and has no field that shows them.',
  },
  {
    open: 'What `send_csat` sends, and what happens where it may not be sent',
    chosen:
      'A text in the words of the operator (`csat_text` of the workspace file), or else a neutral question in the ' +
      "workspace's language. It passes the gate of every message before the conversation closes. Where the gate is shut, " +
      'the conversation closes all the same, and a note in it says why nothing was sent.',
    because: 'The contract names a satisfaction survey and no more; a refusal would leave the conversation open.',
  },
  {
    open: '`ai_agent_id` when `to` is `human`',
    chosen: 'It is left unread.',
    because: `The contract gives it a meaning only "when \`to\` is \`bot\`". ${noRefusal}`,
  },
  {
    open: '`to` is `bot` without `ai_agent_id`',
    chosen: 'A bot controls the conversation, and no agent is named.',
    because: 'The contract calls the member optional.',
  },
  {
    open: '`until` of snooze in the past',
    chosen: '422 with a `pointer`.',
    because: 'There is nothing to wait for.',
  },
  {
    open: 'What ends a snooze besides its time and a message of the contact',
    chosen: 'Nothing: neither a reply, nor a note, nor closing or reopening. Snoozing again sets another time.',
    because: 'The contract names these two.',
  },
  {
    open: 'What a note changes of its conversation',
    chosen: 'Nothing: not its place in the list, `unread_count`, window or status. It can be added in every state.',
    because: 'Nobody has written to anybody.',
  },
  {
    open: 'An empty note',
    chosen: '422.',
    because: 'The contract requires `body`.',
  },
  {
    open: 'Whom `@FirstName` names',
    chosen:
      'Every user of the workspace whose name begins with this word, in any case and spelling of Arabic letters. The ' +
      'name ends where a word does. An `@` inside an e-mail address names nobody.',
    because: 'The contract says "that teammate"; of several with one name, none can be left out.',
  },
  {
    open: 'How a mention notifies',
    chosen:
      'It is stored, for the console once there is one, and sent by e-mail once, where the operator has set a mail server. ' +
      'When the connection breaks over its text, it is not sent again.',
    because: 'A mail server does not say whether it has taken what it did not acknowledge.',
  },
  {
    open: 'Quoting a note in a message (`reply_to_id`)',
    chosen: '422, as for a message of another conversation.',
    because: 'Notes never reach the contact.',
  },
  {
    open: 'Whether new conversations are assigned by round-robin, and to whom',
    chosen:
      "Each is given, at the customer's first message, to the next available user with the role `agent`, unless somebody " +
      'has it already. `assignment: none` in the workspace file turns this off. A conversation that the business begins ' +
      'is assigned to nobody until the customer answers. Who is assigned stays when it is closed and opened again.',
    because:
      'The contract speaks of round-robin assignment that skips unavailable users, and of agents who answer; the creator ' +
      'of an API key is not the one who does.',
  },
  {
    open: 'What the strings in `teams` of a user are',
    chosen: 'The ids of the teams.',
    because: 'A team names its members by id too.',
  },
  {
    open: 'When a user was last active',
    chosen: 'As far as the service knows it, else it is absent. A call with an API key is no activity of its creator.',
    because: 'A key is used by programs.',
  },
];
