import type { Decision } from './decision.ts';

export const errorsAndLimits: readonly Decision[] = [
  {
    open: 'Error body fields other than `code`',
    chosen:
      '`title`, `status`, `detail`, and for 422 `errors` with `detail` and `pointer`. `Content-Type` stays ' +
      '`application/json`.',
    because: 'RFC 9457 has these names for these things; the contract has JSON bodies.',
  },
  {
    open: 'Codes of the 401, 404, 413 and 422 bodies',
    chosen: '`unauthorized`, `not_found`, `content_too_large`, `unprocessable_content`.',
    because: "They are HTTP's reason phrases in snake_case.",
  },
  {
    open: 'Status codes of `template_not_found` and `media_not_found`',
    chosen: '422.',
    because:
      'Of the statuses of the sends it is the one for a body that cannot be acted on; the codes of 409 are listed in full.',
  },
  {
    open: 'Error lists for endpoints not listed above',
    chosen:
      'What the parts of the request can have wrong: 404 for an id in the path, 422 for query and body, 403 for a scope.',
    because: 'The listed endpoints follow the same pattern.',
  },
  {
    open: 'A failure of the service itself',
    chosen: '500 `internal_server_error`, or 503 `service_unavailable` when it cannot take requests for the moment.',
    because: "They are HTTP's reason phrases in snake_case.",
  },
  {
    open: 'A known path with another method',
    chosen: '405 `method_not_allowed` with `Allow`.',
    because: 'HTTP says so.',
  },
  {
    open: 'Malformed JSON, and a query value that is missing or unusable',
    chosen: '422.',
    because: 'The contract has "request body invalid" there, and no other status for it.',
  },
  {
    open: 'A body where an operation takes none',
    chosen: 'It is not looked at.',
    because: 'Nothing can be wrong with what nobody asked for, and these operations list no 422.',
  },
  {
    open: 'A resource of another workspace',
    chosen: '404, as for an id that was never given out.',
    because: 'The contract says "not found in this workspace".',
  },
  {
    open: 'Whether list endpoints without a `cursor` parameter are paged',
    chosen: 'They are not: one answer with all rows.',
    because: 'Without a cursor there is no way to a second page.',
  },
  {
    open: 'Default and maximum `limit`',
    chosen: 'Settings. A larger `limit` gives a shorter page, never an error; `has_more` tells.',
    because: 'It is for the operator to say.',
  },
  {
    open: 'Maximum page size',
    chosen: 'A setting, as above.',
    because: 'It is for the operator to say.',
  },
  {
    open: 'Which limit the headers show when several hold',
    chosen: 'The one with the least left. A send counts against 600 requests a minute and against 50 a second.',
    because: 'It is the one that a client meets first.',
  },
  {
    open: 'What counts against a limit',
    chosen:
      'Every authenticated request, save those that these limits refuse with 429. The two sends share the 50 a second, the ' +
      "analytics operations the 60 a minute. A 401 shows the headers of the caller's address.",
    because: 'Limits are per workspace, and an unknown key belongs to none.',
  },
  {
    open: 'Two requests with the same idempotency key at once',
    chosen: 'The second waits for the first and gets its result.',
    because: 'The key acts once, and the result is the original one.',
  },
  {
    open: 'A refused write with an idempotency key',
    chosen: 'It is not remembered: the same key may succeed later.',
    because: 'A refusal has acted on nothing.',
  },
  {
    open: 'What makes two bodies the same',
    chosen: 'Equal JSON values, whatever the order of members or the white space.',
    because: 'The order of members has no meaning in JSON.',
  },
  {
    open: 'Within what an idempotency key is unique',
    chosen: 'The workspace, the method and the path.',
    because: 'Two different calls are never the repetition of each other.',
  },
];
