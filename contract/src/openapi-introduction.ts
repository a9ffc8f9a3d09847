/** What holds for every operation, in Markdown: the first page that an integrating engineer reads. */
export const introduction = `
Majlis is a multi-tenant business messaging inbox over HTTPS. A workspace owns channels, contacts, conversations,
messages, templates, workflows, broadcasts, AI agents, users and teams. You send messages, read and manage
conversations and contacts, upload media, and receive events by webhook.

## Authentication

Every request carries \`Authorization: Bearer <API_KEY>\`. A missing, invalid or revoked key gets 401. A key has scopes;
an operation that needs one says so, and refuses a key without it with 403 \`insufficient_scope\`.

## Availability

Every operation carries a label: \`Available\`, \`Beta\` or \`Coming soon\`. \`Coming soon\` means that the shape is part of
the contract and that an installation may not offer it: it then answers 404.

## Bodies, times and identifiers

Bodies are JSON, except for the upload and the download of media. Times are ISO 8601 in UTC. Identifiers are strings
with a prefix that tells their type, such as \`msg_\` or \`ct_\`. Members that have no value are left out of answers.
Do not refuse members that you do not know: more may come.

## The 24-hour window

Each message of a contact opens a window of 24 hours on the conversation; \`window_expires_at\` is its end. While it is
open any kind of message may be sent. When it is closed, or when the contact has never written, only \`kind\`
\`template\` with an approved template is accepted, and everything else gets 409 \`window_closed\`. Marketing templates
need the opt-in of the contact, \`consents.chatapp_marketing\`, at any time.

## Paging

A paged list answers with \`data\`, \`has_more\` and, unless it is the last page, \`next_cursor\`: send that as \`cursor\` to
get the next page. A page may hold fewer entries than \`limit\`. Lists without \`cursor\` come whole.

## Idempotency

Writes that take the header \`Idempotency-Key\` act once for a key: the same key with the same body returns the first
result, with a different body it gets 409 \`idempotency_conflict\`. A refused write has acted on nothing and is not
remembered. Keys are kept for 24 hours. GET and DELETE ignore the header.

## Rate limits

Limits hold per workspace over all its keys. Every answer carries \`RateLimit-Limit\`, \`RateLimit-Remaining\` and
\`RateLimit-Reset\` (seconds). Above a limit you get 429 \`rate_limited\` with \`Retry-After\` in seconds: wait at least
that long, with jitter.

## Errors

An error body has a \`code\`: decide by it. The other members are for people and may change. A delivery that fails is
not an HTTP error: the message gets \`status\` \`failed\`, and its \`error\` holds the reason of the channel platform.

## Events

Events are posted to the webhook endpoints of the workspace, signed with \`Service-Signature\`. They may come more than
once and out of order: tell repeats by \`id\`, and compare \`created_at\` before you overwrite newer state.
`.trim();
