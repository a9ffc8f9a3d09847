import { type ErrorBody, type ErrorCode, type ErrorDetail, errors } from '@majlis/contract';

/** The members of a refusal besides its code. */
export interface RefusalExtra {
  /** A sentence about this case for people. */
  detail?: string;
  /** Each invalid member of the body or query. */
  errors?: ErrorDetail[];
  headers?: Record<string, string>;
}

/** A refusal: nothing was done, and the caller learns the reason. Use cases and rules throw it, or return it for one of many. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ErrorCode;
  readonly extra: RefusalExtra;

  constructor(code: ErrorCode, extra: RefusalExtra = {}) {
    super(extra.detail ?? errors[code].title);
    this.code = code;
    this.extra = extra;
  }

  get status(): number {
    return errors[this.code].status;
  }

  get body(): ErrorBody {
    const { status, title } = errors[this.code];
    const { detail, errors: details } = this.extra;
    return {
      code: this.code,
      title,
      status,
      ...(detail !== undefined && { detail }),
      ...(details !== undefined && { errors: details }),
    };
  }
}

/** 422 with one detail per invalid member. */
export function invalid(...details: ErrorDetail[]): Refusal {
  return new Refusal('unprocessable_content', { errors: details });
}
