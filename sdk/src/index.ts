export type * from './api.generated.ts';
export { type AnyRequest, Majlis, type Query } from './client.ts';
export {
  AbortedError,
  ApiError,
  ConflictError,
  ConnectionError,
  ContentTooLargeError,
  ForbiddenError,
  GoneError,
  InternalServerError,
  MajlisError,
  MethodNotAllowedError,
  NotFoundError,
  RateLimitedError,
  ServiceUnavailableError,
  TimeoutError,
  UnauthorizedError,
  UnprocessableContentError,
} from './errors.ts';
export { EventFeed, type FollowOptions } from './event-feed.ts';
export type { ApiPromise, ClientOptions, KeyedOptions, RequestOptions, WithResponse } from './options.ts';
export { Page, type PageBody, type PagePromise } from './page.ts';
export type { Upload } from './upload.ts';
export { version } from './version.ts';
export type { EventOf, EventType, MajlisEvent } from './webhooks.ts';
