/** The rules of every operation, in Markdown: the first page of the API reference. */
export const introduction = `
Majlis is a multi-tenant business messaging inbox over HTTPS. A workspace owns channels, contacts, conversations,
messages, templates, workflows, broadcasts, AI agents, users and teams. You send messages, read and manage
conversations and contacts, upload media, and receive events by webhook.

## Authentication

Every request carries \`Authorization: Bearer <API_KEY>\`. A missing, invalid or revoked key gets 401. A key has scopes.
An operation that needs a scope names it, and refuses a key without it with 403 \`insufficient_scope\`.

## Availability

Every operation carries a label: \`Available\`, \`Beta\` or \`Coming soon\`. \`Coming soon\` means that the shape is part of
the contract, and that an installation may switch the operation off. It then answers 404.

## Bodies, times and identifiers

Bodies are JSON, except for the upload and the download of media. Times are ISO 8601 in UTC. Identifiers are strings
with a type prefix such as \`msg_\` or \`ct_\`. Answers leave out members without a value.
Accept members that you do not know: later versions may add some.

## The 24-hour window

Each message of a contact opens a window of 24 hours on the conversation; \`window_expires_at\` is its end. In an open
window any kind of message may be sent. In a closed window, or to a contact who has never written, only \`kind\`
\`template\` with an approved template is accepted. Everything else gets 409 \`window_closed\`. Marketing templates
need the opt-in of the contact, \`consents.chatapp_marketing\`, at any time.

## Paging

A paged list answers with \`data\`, \`has_more\` and, except on the last page, \`next_cursor\`. Send that value as \`cursor\`
to get the next page. A page may hold fewer entries than \`limit\`. Lists without \`cursor\` have no pages.

## Idempotency

Writes that take the header \`Idempotency-Key\` act once for a key. The same key with the same body returns the first
result; with a different body it gets 409 \`idempotency_conflict\`. A refused write changes nothing, and its key can be
used again. Keys are kept for 24 hours. GET and DELETE ignore the header.

## Rate limits

Limits hold per workspace over all its keys. Every answer carries \`RateLimit-Limit\`, \`RateLimit-Remaining\` and
\`RateLimit-Reset\` (seconds). Above a limit you get 429 \`rate_limited\` with \`Retry-After\` in seconds. Wait at least
that long, with jitter.

## Errors

An error body has a \`code\`: decide by it. The other members are for people and may change. A failed delivery is not an
HTTP error: the message gets \`status\` \`failed\`, and its \`error\` holds the reason of the channel platform.

## Events

Events are posted to the webhook endpoints of the workspace, signed with \`Service-Signature\`. An event may arrive more
than once and out of order. Detect repeats by \`id\`, and compare \`created_at\` before you overwrite newer state.
`.trim();
