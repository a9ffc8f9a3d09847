import type { TArray, TObject, TSchema } from 'typebox';
import { commonRefusals, type ErrorCode } from './errors.ts';
import type { RateLimitName } from './limits.ts';

/** Coming soon: designed, its shape is part of the contract, and an installation may switch it off (404). */
export type Label = 'Available' | 'Beta' | 'Coming soon';

export type Scope = 'messages:write' | 'contacts:read' | 'contacts:write';

export interface Operation {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** From `/v1` on, with `{name}` for each member of `params`. */
  readonly path: `/v1/${string}`;
  readonly label: Label;
  readonly summary: string;
  readonly description: string;
  /** Whether the operation honours `Idempotency-Key`. */
  readonly idempotent: boolean;
  /** The limit that holds besides the requests per minute, which hold for every operation. */
  readonly limit?: Exclude<RateLimitName, 'requests'>;
  /** The scope that the key must have; without it any key will do. */
  readonly scope?: Scope;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TObject;
  /** `application/json` where it is not given. */
  readonly body_content_type?: 'multipart/form-data';
  readonly reply: Reply;
  /** The refusals of this operation, beyond `commonRefusals`. */
  readonly refusals: readonly ErrorCode[];
  readonly example: Example;
}

export interface Reply {
  readonly status: 200 | 201 | 202 | 204;
  /** A second status with the same body, and when it is the answer. */
  readonly otherwise?: { readonly status: 200; readonly when: string };
  readonly body?: TObject | TArray<TSchema>;
  /** Given where the body is not JSON but raw bytes of whatever type the file has. */
  readonly content_type?: '*/*';
}

export interface Example {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  readonly reply?: unknown;
}

/** Keeps the literal types, so that the schemas of one operation can be told from those of another. */
export function defineOperation<const O extends Operation>(operation: O): O {
  return operation;
}

/** Every code with which the operation may refuse. Any body may be larger than the operator allows. */
export function refusalsOf({ refusals, body }: Operation): ErrorCode[] {
  return [...new Set([...commonRefusals, ...refusals, ...(body ? (['content_too_large'] as const) : [])])];
}
