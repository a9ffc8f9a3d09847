import type { Decision } from './decision.ts';

export const contactDecisions: readonly Decision[] = [
  {
    open: 'Country code assumed for a local 8-digit number',
    chosen: 'The code of the `country` of the workspace. If that country has no such numbers: `invalid_phone`.',
    because: 'The workspace has a country, and the number is local to it.',
  },
  {
    open: 'The required members of an identity',
    chosen: '`channel_type` and `identifier`. Without them, the request gets 422, or the row of an import fails.',
    because: 'Contacts are matched by these two members.',
  },
  {
    open: 'How `q` matches',
    chosen:
      'It matches any part of the name, the e-mail address or an identifier. Case and forms of letters make no ' +
      'difference, and `%` and `_` are ordinary characters. Text that may be a phone number also matches by its ' +
      'digits, without the leading zeros of local and international forms.',
    because: 'The contract says free text, not a pattern, and people type a number in many ways.',
  },
  {
    open: 'The activity of a contact (`last_activity_at`)',
    chosen:
      'The time of a message of the contact, or of the first message to the contact. The list sorts a contact ' +
      'without activity by its creation time.',
    because:
      '`last_message_at` of the conversation shows messages of the business. A broadcast does not reorder contacts ' +
      'that had a message before.',
  },
  {
    open: 'An upsert whose identities belong to different contacts',
    chosen: '422 with a pointer to the first identity of another contact; nothing changes.',
    because: 'Merge is the operation that joins contacts.',
  },
  {
    open: 'An upsert without identities',
    chosen: '422: `identities` must name at least one.',
    because: 'A contact has at least one identity and is matched by it.',
  },
  {
    open: 'Spelling of identifiers that are no phone numbers',
    chosen:
      'They are stored as given, without surrounding white space; e-mail addresses in lower case. On `chatapp` and ' +
      '`sms` an identifier is a phone number. On `chatapp` it may also be the user id that the channel platform ' +
      'gives for a hidden number. The maximum length is 512 characters.',
    because: 'The case of an address has no meaning. An identifier is a database key, and keys have a maximum length.',
  },
  {
    open: 'An update of `custom_fields` and `consents`',
    chosen: 'Only the given keys change. `null` removes the value of a custom field.',
    because: 'The contract says "Only sent fields change", and that the set is replaced for `tags` alone.',
  },
  {
    open: 'The format of a custom field of type `date`',
    chosen: 'A date such as `2026-11-20`.',
    because: 'The contract writes dates this way (`from`, `to`); points in time are date-times.',
  },
  {
    open: 'A custom field whose key is defined already, or a `select` without options',
    chosen: '422 with a pointer.',
    because: 'A key can have one type, and a `select` needs options.',
  },
  {
    open: 'The tags in the list of tags',
    chosen: 'The tags that contacts carry, by name.',
    because: 'No operation creates a tag, so a tag exists on contacts alone.',
  },
  {
    open: 'A row of an import that is no object',
    chosen: 'It is reported in `failed` like any invalid row.',
    because: 'The contract reports rows individually and imports the rest.',
  },
  {
    open: 'The extent of an erasure',
    chosen:
      'All data that can identify the contact: stored responses of idempotency keys, event payloads, delivery ' +
      'records, media and broadcast recipients. Accounting records remain without personal data.',
    because: 'The contract says "permanently erases".',
  },
  {
    open: 'The idempotency key of a response that shows an erased contact',
    chosen: 'The service deletes the key with the response. The same key then starts a new write.',
    because: 'The key, the response and the digest of the body derive from data about the contact.',
  },
  {
    open: 'Messages of an erased contact in transit',
    chosen:
      'Waiting messages are cancelled: no call to the platform begins after the erasure is answered. A call that ' +
      'has begun may end; its result and its statuses are dropped. Earlier messages of the customer are erased, ' +
      'processed or not. Later messages belong to a new contact.',
    because: 'An erasure is permanent, and a call that has begun cannot be stopped.',
  },
  {
    open: 'The fields of a merged contact',
    chosen:
      'The survivor keeps its fields. Missing fields, and missing keys of custom fields and consents, come from ' +
      'the source. Tags are united. `vip` and `blocked` are true if either was true. A consent that either ' +
      'withdrew (`false`) stays withdrawn.',
    because:
      'The survivor remains the contact. Where a wrong choice would reach the customer, the cautious value wins.',
  },
  {
    open: 'Errors of a merge',
    chosen: '404 if either id names no contact of the workspace; 422 for a merge of a contact with itself.',
    because:
      'The operation acts on both contacts. Of two merges in opposite directions, one finds its contact deleted.',
  },
  {
    open: 'The identity that receives a message, if a contact has several',
    chosen:
      'The identity that wrote last in the conversation, or the oldest identity if none wrote. `contact_handle` ' +
      'shows it.',
    because: 'The reply goes where the question came from, and the window is open there.',
  },
  {
    open: 'A customer who changes the phone number',
    chosen:
      'The contact stays the same, and the new number replaces the old one. Conversations continue there, and ' +
      'unsent messages and broadcasts go there. If another contact has the new number, nothing changes.',
    because:
      'The platform confirms the customer. The old number may belong to a stranger now. Numbers change owners, so ' +
      'people decide whether two contacts are one person, by a merge.',
  },
  {
    open: 'Codes of rows in `failed` other than `invalid_phone`',
    chosen: '`unprocessable_content`.',
    because: 'A single request with the same row would get this code.',
  },
];
