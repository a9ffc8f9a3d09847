import type { Operation } from '@majlis/contract';

/** The inputs of an operation. */
export interface OperationCall {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
  idempotency_key?: string | undefined;
}

/**
 * Performs an operation of `/v1` with the key of the assistant, and answers the body of its reply. Throws a `RefusedCall`. Every
 * call passes the whole pipeline of `/v1`, so that scopes, limits, bounds and idempotency hold here too.
 */
export type PerformOperation = (operation: Operation, call: OperationCall) => Promise<unknown>;

/** A refusal of `/v1`, or of a tool. */
export class RefusedCall extends Error {
  override readonly name = 'RefusedCall';
  readonly refusal: ToolRefusal;

  constructor(refusal: ToolRefusal) {
    super(refusal.code);
    this.refusal = refusal;
  }
}

/** What the assistant learns of a refusal. */
export interface ToolRefusal {
  code: string;
  detail?: string | undefined;
  errors?: readonly object[] | undefined;
  retry_after_seconds?: number | undefined;
}

/** The path of the operation with its ids. Throws a `RefusedCall` for ids that would lead to another path. */
export function pathOfCall({ path }: Operation, { params = {}, query = {} }: OperationCall): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = params[name]!;
    // Every reader of addresses resolves these parts, percent-encoded or not.
    if (id === '.' || id === '..') throw new RefusedCall({ code: 'not_found' });
    return encodeURIComponent(id);
  });
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(
    given.map(([name, value]) => [name, String(value)] as [string, string]),
  ).toString();
  return search === '' ? filled : `${filled}?${search}`;
}
