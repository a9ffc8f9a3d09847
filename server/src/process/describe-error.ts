/** The parts of an error that a log may contain. */
export interface DescribedError {
  type: string;
  message: string;
  code?: string;
  stack?: string;
  cause?: DescribedError;
  errors?: DescribedError[];
}

// A chain of causes may be circular.
const deepest = 4;

/**
 * Describes an error for the log by type, message, code and stack. All other properties are left out: a database error
 * carries the row's values, an error of an HTTP client the headers (hazard H102).
 */
export function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error))
    return { type: typeof error, message: typeof error === 'string' ? error : 'not an error' };
  const message = withoutValue(error);
  const described: DescribedError = { type: error.name, message };
  if ('code' in error && typeof error.code === 'string') described.code = error.code;
  if (error.stack) described.stack = framesOf(error.stack, error.name, message);
  if (depth >= deepest) return described;
  if (error.cause !== undefined) described.cause = describeError(error.cause, depth + 1);
  if (error instanceof AggregateError) described.errors = error.errors.map((each) => describeError(each, depth + 1));
  return described;
}

/**
 * Cuts the value that PostgreSQL repeats after the colon: `invalid input syntax for type uuid: "…"`. Of a text that is no JSON, the
 * parser quotes a part too: `Unexpected token 'a', "…" is not valid JSON`.
 */
function withoutValue(error: Error): string {
  if (error instanceof SyntaxError && error.message.endsWith('is not valid JSON')) return 'it is not valid JSON';
  return 'severity' in error && 'routine' in error ? error.message.replace(/: ".*"$/s, '') : error.message;
}

/** The first line of a stack repeats the message. */
function framesOf(stack: string, name: string, message: string): string {
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '));
  return [`${name}: ${message}`, ...frames].join('\n');
}
