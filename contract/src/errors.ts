import { type Static, Type } from 'typebox';

/** The closed catalogue of refusals. The title of a code never varies. */
export const errors = {
  unauthorized: { status: 401, title: 'The API key is missing, invalid or revoked' },
  insufficient_scope: { status: 403, title: 'The API key lacks the scope that this operation needs' },
  not_found: { status: 404, title: 'Not found in this workspace' },
  method_not_allowed: { status: 405, title: 'This path does not take this method' },
  window_closed: { status: 409, title: 'The 24-hour window is closed: send an approved template' },
  conversation_closed: { status: 409, title: 'The conversation is closed: reopen it, or send by POST /v1/messages' },
  contact_blocked: { status: 409, title: 'The contact is blocked' },
  bot_in_control: { status: 409, title: 'A bot controls the conversation: hand it over to a human' },
  idempotency_conflict: { status: 409, title: 'The idempotency key was used with a different body' },
  content_too_large: { status: 413, title: 'The content is too large' },
  unprocessable_content: { status: 422, title: 'The request is invalid' },
  template_not_found: { status: 422, title: 'There is no approved template with this name and language' },
  media_not_found: { status: 422, title: 'There is no media with this id: upload it again' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal_server_error: { status: 500, title: 'The service failed to handle the request' },
  service_unavailable: { status: 503, title: 'The service cannot take the request at the moment' },
} as const satisfies Record<string, ErrorDefinition>;

export interface ErrorDefinition {
  readonly status: 401 | 403 | 404 | 405 | 409 | 413 | 422 | 429 | 500 | 503;
  readonly title: string;
}

export type ErrorCode = keyof typeof errors;

/** The refusals of every operation. */
export const commonRefusals = [
  'unauthorized',
  'rate_limited',
  'internal_server_error',
  'service_unavailable',
] as const satisfies readonly ErrorCode[];

export const ErrorDetail = Type.Object(
  {
    detail: Type.String({ description: 'The fault of this member.' }),
    pointer: Type.String({ description: 'JSON Pointer to the member, from the root of the body.' }),
  },
  { title: 'ErrorDetail' },
);
export type ErrorDetail = Static<typeof ErrorDetail>;

/** The contract fixes `code` alone. The other members have the names of RFC 9457. */
export const ErrorBody = Type.Object(
  {
    code: Type.String({ description: 'The machine-readable reason. Decide by this member.' }),
    title: Type.Optional(Type.String({ description: 'The reason in words; the same for every error of this code.' })),
    status: Type.Optional(Type.Integer({ description: 'The HTTP status, repeated.' })),
    detail: Type.Optional(Type.String({ description: 'The details of this case, for a person to read.' })),
    errors: Type.Optional(Type.Array(ErrorDetail, { description: 'For 422: the members at fault.' })),
  },
  {
    title: 'Error',
    description: 'Only `code` is part of the contract. The other members help a person and may change.',
  },
);
export type ErrorBody = Static<typeof ErrorBody>;
