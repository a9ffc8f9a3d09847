import { type ConsoleErrorCode, consoleErrors, type NewerReply } from '@majlis/console-api';
import {
  type ErrorBody,
  type ErrorCode,
  type ErrorDetail,
  type ExtensionErrorCode,
  errors,
  extensionErrors,
} from '@majlis/contract';

const catalogue = { ...errors, ...extensionErrors, ...consoleErrors };
type Code = ErrorCode | ExtensionErrorCode | ConsoleErrorCode;

/** The members of a refusal besides its code. */
export interface RefusalExtra {
  /** A sentence about this case for people. */
  detail?: string;
  /** Each invalid member of the body or query. */
  errors?: ErrorDetail[];
  headers?: Record<string, string>;
  /** Of `newer_reply`: the colleague's reply. */
  newer_reply?: NewerReply;
}

/** A refusal: nothing was done, and the caller learns the reason. Use cases and rules throw it, or return it for one of many. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: Code;
  readonly extra: RefusalExtra;

  constructor(code: Code, extra: RefusalExtra = {}) {
    super(extra.detail ?? catalogue[code].title);
    this.code = code;
    this.extra = extra;
  }

  get status(): number {
    return catalogue[this.code].status;
  }

  get body(): ErrorBody & { newer_reply?: NewerReply } {
    const { status, title } = catalogue[this.code];
    const { detail, errors: details, newer_reply } = this.extra;
    return {
      code: this.code,
      title,
      status,
      ...(detail !== undefined && { detail }),
      ...(details !== undefined && { errors: details }),
      ...(newer_reply && { newer_reply }),
    };
  }
}

// More would help nobody, and a list of thousands may have a fault in each entry.
const maxDetails = 10;

/** 422 with one detail per invalid member: the first ones. */
export function invalid(faults: ErrorDetail | readonly ErrorDetail[]): Refusal {
  return new Refusal('unprocessable_content', { errors: [faults].flat().slice(0, maxDetails) });
}
