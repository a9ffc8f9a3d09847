import type { Decision } from './decision.ts';

export const automation: readonly Decision[] = [
  {
    open: 'Restrictions on which change is allowed (workflow status)',
    chosen: 'None: any of the three to any other.',
    because: 'It can stay open.',
  },
  {
    open: 'other run statuses (besides `running`)',
    chosen: 'None is exposed.',
    because: 'No operation reads a run.',
  },
  {
    open: 'The shape of `contact` of a workflow run',
    chosen: '`id` or `contact_id` names a contact; `channel_type` with `identifier` finds or creates one.',
    because: 'The contract says "an object naming an existing contact id", which both names fit.',
  },
  {
    open: 'What `paused` and `draft` mean for runs under way',
    chosen:
      'Of a paused workflow they stand still where they are, and go on, each step once, when it is published again. Of a ' +
      'draft they end.',
    because: 'A pause is for a while; a draft is not in use.',
  },
  {
    open: 'A run of a workflow that is not published, or whose trigger is not an API call',
    chosen: '422 `unprocessable_content` with a `detail` that says so.',
    because:
      'It is one of the statuses that the contract lists for the call; the workflow is there, so it is not a 404.',
  },
  {
    open: 'What a workflow in control means for other sends, and when control ends',
    chosen:
      'From its first message to its end a run controls the conversation: sends of users, and of other bots, are refused ' +
      'with `bot_in_control`. It ends when the conversation is handed over or closed, or the contact is blocked.',
    because: 'The remedy that the contract names for `bot_in_control` is to hand over to a human.',
  },
  {
    open: 'Status names and transitions of broadcasts',
    chosen: '`scheduled`, `sending`, `sent`, `cancelled`; the schema says string.',
    because: 'They are the words that the contract uses of broadcasts.',
  },
  {
    open: 'When the audience of a broadcast is settled',
    chosen:
      'Tags and a stage when it starts: until then `total` is 0. A list when it is created; a `to` that is no phone ' +
      'number is refused with 422. A page of broadcasts shows no lists, `GET` of one does.',
    because: 'A broadcast for next month is for those who are customers then.',
  },
  {
    open: 'When a broadcast is `sent`, and what it means to cancel it then',
    chosen:
      'Once nothing of it is still to be sent. Cancelling one that has ended changes nothing and is no error; of one ' +
      'under way what was not sent yet fails with that reason.',
    because: 'Until then there is something to cancel.',
  },
  {
    open: 'A `send_at` that has passed',
    chosen: 'The broadcast starts now.',
    because: 'It can stay open: the contract has no refusal for it.',
  },
  {
    open: 'What counts against the messaging tier',
    chosen:
      'Each customer once in any 24 hours to whom a message that did not fail was sent outside an open window, by ' +
      'whatever operation. Broadcasts wait for a free place; single sends do not. Without a known tier there is no bound.',
    because: 'So the platform counts.',
  },
  {
    open: 'When a recipient has `replied`',
    chosen: 'Once the customer wrote anything after the message was accepted, however often.',
    because: 'What an answer is to cannot be told from its text.',
  },
  {
    open: 'What the `tags` of an audience mean together',
    chosen: 'A contact with any of them is meant.',
    because: 'A list of tags reads as a list of groups.',
  },
  {
    open: 'The same number twice among `recipients`',
    chosen: "Once per normalised number, with the first one's params.",
    because: 'A customer must not get a broadcast twice.',
  },
  {
    open: 'A broadcast with `params` that do not fit the template, or with a header that shows a file',
    chosen: '422 at creation, with a pointer to each of the `params`.',
    because: 'The messages could never be sent, and a broadcast shows no reason of those that failed.',
  },
  {
    open: 'How the `counts` of a broadcast relate',
    chosen:
      'As a funnel: who read was delivered, and who was delivered was sent. Who may not be written to (no opt-in, ' +
      'blocked) counts as `failed`. `total` is all recipients after removing repeats.',
    because: 'The numbers then add up to `total` at every moment.',
  },
  {
    open: 'A broadcast with an unknown template, or without `channel_id` where there are several channels',
    chosen: '422 when it is created.',
    because: 'It could never be sent.',
  },
  {
    open: 'AI operations of an installation without a model',
    chosen: '200, from retrieval and extraction alone.',
    because: 'The operator may run none, and the shape of the answer holds all the same.',
  },
  {
    open: 'Which size limit an upload falls under',
    chosen: 'That of the type found in its first bytes; what is none of image, video and audio is a document.',
    because: 'The name and the declared type are the word of the sender only.',
  },
  {
    open: 'The `mime` of a file',
    chosen:
      'What its first bytes show; `text/plain` for other text, `application/octet-stream` for the rest. The declared type ' +
      'and the name are not believed; a name only tells which Office format a container holds.',
    because: 'The declared type is the word of the sender, and browsers act on types.',
  },
  {
    open: 'Which files of AAC are accepted for `voice`',
    chosen: 'Bare AAC, and AAC in an MP4 container (`audio/mp4`). OGG is accepted with Opus alone.',
    because: 'Phones record AAC in MP4 containers, and the channel platform takes both.',
  },
  {
    open: 'A file of a type that the kind of the message does not take',
    chosen:
      '422 `unprocessable_content` that points to `/media_id`; `media_not_found` is for an id that names no file.',
    because: 'The file is there; uploading it again, the remedy for `media_not_found`, would not help.',
  },
  {
    open: 'A `voice`, `location` or `template` message with a `body`',
    chosen: '422 that points to `/body`, unless it is empty.',
    because: 'The channel platform has no place for words with these kinds, and they would be lost without a trace.',
  },
  {
    open: 'A `media_id` beside a kind that takes no file',
    chosen: 'It is looked up, and `media_not_found` where it names none; else it means nothing.',
    because: 'The contract refuses an unknown `media_id` whatever the kind is.',
  },
  {
    open: 'How a file is served',
    chosen:
      'With its `mime`, `nosniff` and a sandbox policy; pictures, videos and audio `inline`, everything else as ' +
      '`attachment`. Ranges are not served.',
    because: 'What a stranger uploaded must not act in the browser of an agent.',
  },
  {
    open: 'A `filename` with a path, control characters or marks that turn its direction',
    chosen: 'It is kept without them.',
    because: 'They mislead people and programs, and name nothing.',
  },
  {
    open: 'When the file of an inbound message appears',
    chosen:
      'The message and its event are there at once; `media_id` and `size_bytes` follow when the file was fetched. One that ' +
      'cannot be fetched leaves a message whose `error` says so.',
    because: 'A message must not wait for its file, and the event has no member for it.',
  },
  {
    open: 'How long an upload is kept that no message uses',
    chosen: 'A setting, 30 days unless set otherwise.',
    because: 'It is for the operator to say.',
  },
  {
    open: 'A form that is broken, has no part `file` or more than one file, or stops arriving',
    chosen: '422; nothing is stored.',
    because: 'The contract has "request body invalid" there.',
  },
  {
    open: 'What an MB is',
    chosen: '1,048,576 bytes.',
    because: 'Of the two readings it is the one that refuses less.',
  },
  {
    open: 'Coming-soon operations',
    chosen: 'They are served in the shape that the contract gives them, and labelled. A setting takes them off: 404.',
    because: 'Their shape is part of the contract; whether to offer them is for the operator to say.',
  },
];
