import type { TArray, TObject, TSchema } from 'typebox';
import { commonRefusals, type ErrorCode } from './errors.ts';
import type { RateLimitName } from './limits.ts';

/** `Coming soon`: the shape is part of the contract, and an installation may switch the operation off (404). */
export type Label = 'Available' | 'Beta' | 'Coming soon';

export type KeyScope = 'messages:write' | 'contacts:read' | 'contacts:write';

/** A method and a path with their schemas. */
export interface HttpOperation {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{name}` for each member of `params`. */
  readonly path: string;
  readonly summary: string;
  /** Whether the operation honours `Idempotency-Key`. */
  readonly idempotent: boolean;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TObject;
  /** Absent: `application/json`. */
  readonly body_content_type?: 'multipart/form-data';
  readonly reply: OperationReply;
}

/** An operation of the contract. */
export interface Operation extends HttpOperation {
  readonly path: `/v1/${string}`;
  readonly label: Label;
  readonly description: string;
  /** The rate limit that applies in addition to the requests per minute of every operation. */
  readonly limit?: Exclude<RateLimitName, 'requests'>;
  /** The scope that the key must have. Absent: any key may call the operation. */
  readonly scope?: KeyScope;
  /** The scope that the key must have where this member of the body has this value. */
  readonly scope_with?: { readonly member: string; readonly is: true | string; readonly scope: KeyScope };
  /** What it changes may start workflows. Where it does, the key must have the scope of a start: `messages:write`. */
  readonly starts_workflows?: true;
  /** The refusals of this operation, beyond `commonRefusals`. */
  readonly refusals: readonly ErrorCode[];
  readonly example: OperationExample;
}

export interface OperationReply {
  readonly status: 200 | 201 | 202 | 204;
  /** A second status with the same body, and its condition. */
  readonly otherwise?: { readonly status: 200; readonly when: string };
  readonly body?: TObject | TArray<TSchema>;
  /** For raw bytes instead of JSON, of the type of the file. */
  readonly content_type?: '*/*';
}

export interface OperationExample {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  readonly reply?: unknown;
}

/** Keeps the literal types, so that each operation has the types of its own schemas. */
export function defineOperation<const O extends Operation>(operation: O): O {
  return operation;
}

/** The scopes that the operation asks for, each with its condition in words. */
export function scopesOf({ scope, scope_with, starts_workflows }: Operation): { scope: KeyScope; when?: string }[] {
  return [
    ...(scope ? [{ scope }] : []),
    ...(scope_with ? [{ scope: scope_with.scope, when: `with ${nameOf(scope_with)}` }] : []),
    ...(starts_workflows ? [{ scope: 'messages:write' as const, when: 'where it starts a workflow' }] : []),
  ];
}

function nameOf({ member, is }: { member: string; is: true | string }): string {
  return is === true ? `\`${member}\`` : `\`${member}\` \`${is}\``;
}

/** All refusal codes of the operation. An operation with a body can always refuse with `content_too_large`. */
export function refusalsOf({ refusals, body }: Operation): ErrorCode[] {
  return [...new Set([...commonRefusals, ...refusals, ...(body ? (['content_too_large'] as const) : [])])];
}
