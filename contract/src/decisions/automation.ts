import type { Decision } from './decision.ts';

export const automationDecisions: readonly Decision[] = [
  {
    open: 'Restrictions on which change is allowed (workflow status)',
    chosen: 'None: any of the three may follow any other.',
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
    because: 'The contract says "an object naming an existing contact id", and both names fit.',
  },
  {
    open: 'Runs under way when their workflow becomes `paused` or `draft`',
    chosen:
      'Runs of a paused workflow stop where they are. When it is published again, they continue, and no step ' +
      'repeats. Runs of a draft end.',
    because: 'A pause is temporary; a draft is not in use.',
  },
  {
    open: 'A run of a workflow that is not published, or whose trigger is not an API call',
    chosen: '422 `unprocessable_content` with a `detail` that names the reason.',
    because: 'The contract lists 422 for the call. The workflow exists, so 404 would be wrong.',
  },
  {
    open: 'A workflow in control of a conversation',
    chosen:
      'A run controls the conversation from its first message to its end. Sends of users and of other bots get ' +
      '`bot_in_control`. The run ends when the conversation is handed over or closed, or when the contact is ' +
      'blocked.',
    because: 'The contract names the handover to a human as the remedy for `bot_in_control`.',
  },
  {
    open: 'Status names and transitions of broadcasts',
    chosen: '`scheduled`, `sending`, `sent`, `cancelled`; the schema says string.',
    because: 'The contract uses these words for broadcasts.',
  },
  {
    open: 'When the audience of a broadcast is fixed',
    chosen:
      'Tags and a stage are evaluated when the broadcast starts; until then `total` is 0. A list is fixed when the ' +
      'broadcast is created, and a `to` that is no phone number gives 422. Pages of broadcasts show no lists; ' +
      '`GET` of one broadcast does.',
    because: 'A broadcast for next month is for the contacts of that day.',
  },
  {
    open: 'When a broadcast is `sent`, and cancelling after that',
    chosen:
      'It is `sent` when no message waits for dispatch. Cancelling an ended broadcast changes nothing and is no ' +
      'error. Cancelling a running broadcast fails its unsent messages with that reason.',
    because: 'Until then there are messages to cancel.',
  },
  {
    open: 'A `send_at` in the past',
    chosen: 'The broadcast starts at once.',
    because: 'The contract has no refusal for it.',
  },
  {
    open: 'What counts against the messaging tier',
    chosen:
      'Each customer counts once in any 24 hours, if a message to the customer outside an open window did not ' +
      'fail. Every operation counts. Broadcasts wait for a free place; single sends do not. Without a known tier ' +
      'there is no limit.',
    because: 'The platform counts this way.',
  },
  {
    open: 'When a recipient has `replied`',
    chosen: 'The customer wrote after the message was accepted. Each recipient counts once.',
    because: 'The text of a message does not tell which message it answers.',
  },
  {
    open: 'Several `tags` of an audience',
    chosen: 'A contact with any of the tags is included.',
    because: 'A list of tags reads as a list of groups.',
  },
  {
    open: 'The same number twice among `recipients`',
    chosen: 'One message for each normalised number, with the `params` of its first entry.',
    because: 'A customer must not get a broadcast twice.',
  },
  {
    open: 'A broadcast with `params` that do not fit the template, or with a header that shows a file',
    chosen: '422 at creation, with a pointer to each faulty entry of `params`.',
    because: 'The messages could never be sent, and a broadcast shows no reasons of failed messages.',
  },
  {
    open: 'The relation of the `counts` of a broadcast',
    chosen:
      'The counts are a funnel: a read message counts as delivered, and a delivered message counts as sent. ' +
      'Contacts that may not be written to (blocked, no opt-in) count as `failed`. `total` is the number of ' +
      'recipients without repeats.',
    because: 'The counts then add up to `total` at every moment.',
  },
  {
    open: 'A broadcast with an unknown template, or without `channel_id` where there are several channels',
    chosen: '422 when it is created.',
    because: 'It could never be sent.',
  },
  {
    open: 'AI operations of an installation without a model',
    chosen: '200, with results of retrieval and extraction alone.',
    because: 'The operator may run no model, and the shape of the answer holds without one.',
  },
  {
    open: 'The size limit of an upload',
    chosen: 'The limit of the type found in the first bytes. A file that is no image, video or audio is a document.',
    because: 'The sender chooses the name and the declared type.',
  },
  {
    open: 'The `mime` of a file',
    chosen:
      'The type found in the first bytes; `text/plain` for other text, `application/octet-stream` for the rest. ' +
      'The declared type and the name have no effect, except that the name selects the Office format of a ' +
      'container.',
    because: 'The sender chooses the declared type, and browsers act on types.',
  },
  {
    open: 'The AAC files that `voice` accepts',
    chosen: 'Bare AAC, and AAC in an MP4 container (`audio/mp4`). OGG is accepted with Opus alone.',
    because: 'Phones record AAC in MP4 containers, and the channel platform takes both.',
  },
  {
    open: 'A file of a type that the kind of the message does not take',
    chosen: '422 `unprocessable_content` that points to `/media_id`. `media_not_found` is for an unknown id.',
    because: 'The file exists. Uploading it again, the remedy for `media_not_found`, would not help.',
  },
  {
    open: 'A `voice`, `location` or `template` message with a `body`',
    chosen: '422 that points to `/body`, unless `body` is empty.',
    because: 'The channel platform has no text for these kinds, so the text would be lost silently.',
  },
  {
    open: 'A `media_id` with a kind that takes no file',
    chosen: 'An unknown id gives `media_not_found`. A known id has no effect.',
    because: 'The contract refuses an unknown `media_id` for every kind.',
  },
  {
    open: 'The headers of a download',
    chosen:
      'The `mime` of the file, `nosniff` and a sandbox policy. Images, videos and audio are `inline`, other files ' +
      '`attachment`. Ranges are not supported.',
    because: 'The upload of a stranger must not run code in the browser of an agent.',
  },
  {
    open: 'A `filename` with a path, control characters or bidirectional marks',
    chosen: 'The service removes them.',
    because: 'They can mislead people and programs, and are no part of a name.',
  },
  {
    open: 'When the file of an inbound message appears',
    chosen:
      'The message and its event appear at once. `media_id` and `size_bytes` follow after the file was fetched. If ' +
      'the fetch fails, `error` of the message says so.',
    because: 'A message must not wait for its file, and the event has no member for the file.',
  },
  {
    open: 'How long an unused upload is kept',
    chosen: 'A setting, 30 days by default.',
    because: 'The operator decides.',
  },
  {
    open: 'A form that is broken or incomplete, has no part `file` or several files',
    chosen: '422, and nothing is stored.',
    because: 'The contract names 422 "request body invalid" for the call.',
  },
  {
    open: 'The size of an MB',
    chosen: '1,048,576 bytes.',
    because: 'Of the two readings, it refuses fewer files.',
  },
  {
    open: 'Coming-soon operations',
    chosen: 'They are served in the shape of the contract, with their label. A setting switches them off: 404.',
    because: 'Their shape is part of the contract, and the operator decides whether to offer them.',
  },
];
