import { describeCode } from './error-codes.ts';

export type GraphErrorParts = {
  details?: string | undefined;
  message?: string;
  subcode?: number;
  type?: string;
  http?: number;
  user_title?: string;
  user_msg?: string;
  /** Replaces `error_data`. */
  error_data?: object;
  headers?: Record<string, string>;
};

/** A refusal in the response (platform protocol, section 2.1). */
export class GraphError extends Error {
  readonly code: number;
  readonly parts: GraphErrorParts;

  constructor(code: number, parts: GraphErrorParts = {}) {
    super(parts.message ?? `(#${code}) ${describeCode(code).title}`);
    this.code = code;
    this.parts = parts;
  }

  get http(): number {
    return this.parts.http ?? describeCode(this.code).http;
  }

  toBody(fbtrace_id: string): object {
    const known = describeCode(this.code);
    const { parts } = this;
    const subcode = parts.subcode ?? known.subcode;
    const details = parts.details ?? known.details;
    const data = parts.error_data ?? (details === undefined ? undefined : { messaging_product: 'whatsapp', details });
    return {
      error: {
        message: this.message,
        type: parts.type ?? 'OAuthException',
        code: this.code,
        ...(data !== undefined && { error_data: data }),
        ...(subcode !== undefined && { error_subcode: subcode }),
        ...(parts.user_title !== undefined && {
          is_transient: false,
          error_user_title: parts.user_title,
          error_user_msg: parts.user_msg,
        }),
        fbtrace_id,
      },
    };
  }
}

export function unknownObject(method: string, id: string): GraphError {
  return new GraphError(100, {
    message: `Unsupported ${method.toLowerCase()} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation. Please read the Graph API documentation at https://developers.facebook.com/docs/graph-api`,
    type: 'GraphMethodException',
    subcode: 33,
  });
}

export function missingParameter(path: string): GraphError {
  return new GraphError(131008, { details: `The parameter ${path} is required.` });
}

export function invalidParameter(path: string, why?: string): GraphError {
  return new GraphError(131009, {
    details: why === undefined ? `Parameter value is not valid: ${path}` : `${path} ${why}`,
  });
}

export function tooLong(path: string, limit: number): GraphError {
  return new GraphError(100, { message: `(#100) Param ${path} must be at most ${limit} characters long.` });
}
