import type { Decision } from './decision.ts';

export const contacts: readonly Decision[] = [
  {
    open: 'Country code assumed for a local 8-digit number',
    chosen: 'That of the `country` of the workspace. Where that country has no such numbers: `invalid_phone`.',
    because: 'The workspace has a country, and the number is local to it.',
  },
  {
    open: 'Which members an identity must have',
    chosen: '`channel_type` and `identifier`; without them the contact is refused: 422, in an import the row.',
    because: 'Contacts are matched by identity, and these two are what is matched.',
  },
  {
    open: 'How `q` matches',
    chosen:
      'Any part of the name, the e-mail address or an identifier, in any case, with forms of letters folded. `%` and ' +
      '`_` are letters like any other. What may be a phone number is also looked for by its digits alone, without the ' +
      'zeros of a local or international form.',
    because: 'The contract says free text, not a pattern; and a number is typed in many ways.',
  },
  {
    open: 'What the activity of a contact is (`last_activity_at`)',
    chosen:
      'A message of the contact, at the time at which it was written, or the message by which it was first written to. ' +
      'In the list, a contact that never was active stands where it was created.',
    because:
      'What the business writes is told by `last_message_at` of the conversation; a broadcast moves nobody who was ' +
      'written to before.',
  },
  {
    open: 'An upsert whose identities belong to different contacts',
    chosen: '422 with a pointer to the first identity of another contact; nothing is changed.',
    because: 'To join contacts is an operation of its own, merge.',
  },
  {
    open: 'An upsert without identities',
    chosen: '422: `identities` must name one at least.',
    because: 'A contact has one or more, and is matched by them.',
  },
  {
    open: 'Spelling of identifiers that are no phone numbers',
    chosen:
      'Kept as given, without the white space around them; e-mail addresses in small letters. On `chatapp` and `sms` an ' +
      'identifier is a phone number, or on `chatapp` the user id by which the channel platform names who hides theirs. ' +
      'No identifier is longer than 512 characters.',
    because: 'Addresses differ in case without meaning to. An identifier is a key, and keys are finite.',
  },
  {
    open: 'What a change of `custom_fields` and `consents` leaves',
    chosen: 'Only the keys that are sent change. A custom field that is sent as `null` has no value any more.',
    because: '"Only sent fields change"; of `tags` alone the contract says that the set is replaced.',
  },
  {
    open: 'What a value of a custom field of type `date` looks like',
    chosen: 'A date like `2026-11-20`.',
    because: 'It is the date of the contract (`from`, `to`); moments are date-times.',
  },
  {
    open: 'A custom field whose key is defined already, or a `select` without options',
    chosen: '422 with a pointer.',
    because: 'A key can have one type, and a choice needs something to choose from.',
  },
  {
    open: 'Which tags are listed',
    chosen: 'Those that a contact carries, by name.',
    because: 'A tag has no existence besides, as no operation makes one.',
  },
  {
    open: 'A row of an import that is no object',
    chosen: 'It is reported in `failed` like any other that does not validate.',
    because: 'The contract reports rows individually, and imports the rest.',
  },
  {
    open: 'What an erasure reaches',
    chosen:
      'Everything that can name the contact: stored answers of idempotency keys, event payloads, delivery records, ' +
      'media and recipients. What must stay for the books keeps no personal data.',
    because: 'The contract says "permanently erases".',
  },
  {
    open: 'What becomes of an idempotency key whose answer shows a contact that is erased',
    chosen: 'It is forgotten with the answer: the same key then names a new write.',
    because: 'Key, answer and the digest of the body all follow from what was sent about the contact.',
  },
  {
    open: 'Messages of an erased contact that are on their way',
    chosen:
      'What waits to be sent is cancelled: once the erasure is answered, no call to the platform begins. A call that had ' +
      'begun may end; nothing is kept of it, and its statuses are left aside. What the customer wrote before is erased, ' +
      'even where it was not worked through yet; what they write later is by a new contact.',
    because: 'An erasure is permanent, and a call that has begun cannot be taken back.',
  },
  {
    open: 'Whose fields a merged contact has',
    chosen:
      'Those of the survivor; what it lacks, custom fields and consents by their keys, comes from the source. Tags are ' +
      'united. `vip` and `blocked` hold if either had them. A consent that either withdrew (`false`) stays withdrawn.',
    because: 'The survivor survives; and where a wrong guess would reach the customer, the careful side is taken.',
  },
  {
    open: 'Errors of a merge',
    chosen: '404 where either id names no contact of the workspace; 422 for a contact with itself.',
    because:
      'Both contacts are what the operation acts on. Of two merges in opposite directions one finds a contact gone.',
  },
  {
    open: 'To which identity a message goes that names a conversation or a `contact_id`, where the contact has several',
    chosen:
      'The one that last wrote in the conversation; before anybody wrote, the oldest. It is the `contact_handle`.',
    because: 'The answer goes to where the question came from, and there the window is open.',
  },
  {
    open: 'A customer who changes the number',
    chosen:
      'Stays the same contact, with the new number in place of the old one. Conversations go on there, and so does what ' +
      'was accepted or is to be broadcast and is not sent yet. A new number that another contact has already stays with ' +
      'that contact, and nothing changes.',
    because:
      'The platform says who they are; behind the old number there may be a stranger. Numbers are handed on, so whether ' +
      'two contacts are one person is for people to say, who can merge them.',
  },
  {
    open: 'Codes of rows in `failed` other than `invalid_phone`',
    chosen: '`unprocessable_content`.',
    because: 'It is the code that the same row would get by itself.',
  },
];
