import type { Decision } from './decision.ts';

export const errorAndLimitDecisions: readonly Decision[] = [
  {
    open: 'Error body fields other than `code`',
    chosen:
      '`title`, `status`, `detail`, and for 422 `errors` with `detail` and `pointer`. `Content-Type` stays ' +
      '`application/json`.',
    because: 'RFC 9457 defines these names; the bodies of the contract are JSON.',
  },
  {
    open: 'Codes of the 401, 404, 413 and 422 bodies',
    chosen: '`unauthorized`, `not_found`, `content_too_large`, `unprocessable_content`.',
    because: 'They are the reason phrases of HTTP in snake_case.',
  },
  {
    open: 'Status codes of `template_not_found` and `media_not_found`',
    chosen: '422.',
    because: 'Of the statuses of the sends, 422 is for a body at fault; the contract lists all codes of 409.',
  },
  {
    open: 'Error lists for endpoints not listed above',
    chosen:
      'The faults of each part of the request: 404 for an id in the path, 422 for query and body, 403 for a scope.',
    because: 'The listed endpoints follow the same pattern.',
  },
  {
    open: 'A failure of the service itself',
    chosen: '500 `internal_server_error`, or 503 `service_unavailable` while the service cannot take requests.',
    because: 'They are the reason phrases of HTTP in snake_case.',
  },
  {
    open: 'A known path with another method',
    chosen: '405 `method_not_allowed` with `Allow`.',
    because: 'HTTP requires it.',
  },
  {
    open: 'Malformed JSON, and a query value that is missing or unusable',
    chosen: '422.',
    because: 'The contract says "request body invalid", and names no other status.',
  },
  {
    open: 'A body where an operation takes none',
    chosen: 'It is ignored.',
    because: 'These operations list no 422.',
  },
  {
    open: 'A resource of another workspace',
    chosen: '404, as for an unknown id.',
    because: 'The contract says "not found in this workspace".',
  },
  {
    open: 'Whether list endpoints without a `cursor` parameter are paged',
    chosen: 'They are not: one response holds all rows.',
    because: 'Without a cursor there is no second page.',
  },
  {
    open: 'Default and maximum `limit`',
    chosen: 'Settings. A larger `limit` gives a shorter page, never an error; see `has_more`.',
    because: 'The operator decides.',
  },
  {
    open: 'Maximum page size',
    chosen: 'A setting, as above.',
    because: 'The operator decides.',
  },
  {
    open: 'The limit in the headers when several apply',
    chosen:
      'The limit with the fewest requests left. A send counts against 600 requests a minute and 50 sends a second.',
    because: 'The client reaches that limit first.',
  },
  {
    open: 'The requests that count against a limit',
    chosen:
      'Every authenticated request, except those that these limits refuse with 429. The two sends share 50 a ' +
      'second, and the analytics operations share 60 a minute. A 401 shows the headers of the address of the ' +
      'caller.',
    because: 'Limits apply to a workspace, and an unknown key has none.',
  },
  {
    open: 'Two simultaneous requests with the same idempotency key',
    chosen: 'The second request waits for the first and gets its result.',
    because: 'The key acts once, and the result is the original one.',
  },
  {
    open: 'A refused write with an idempotency key',
    chosen: 'The service does not store it: the same key may succeed later.',
    because: 'A refusal changes nothing.',
  },
  {
    open: 'The equality of two bodies',
    chosen: 'Equal JSON values. The order of members and white space make no difference.',
    because: 'The order of members has no meaning in JSON.',
  },
  {
    open: 'The scope of an idempotency key',
    chosen: 'The workspace, the method and the path.',
    because: 'Two different operations never repeat each other.',
  },
];
