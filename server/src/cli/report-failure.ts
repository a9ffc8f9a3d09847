import { ApiError, ConnectionError, MajlisError } from '@majlis/sdk';
import { CannotRun } from '../process/cannot-run.ts';
import { exitCodes, Failure, type FailureKind, kindOf } from './failure.ts';
import { printable, toJson } from './printable.ts';

/** Tells people, or a program with `--json`, why the command failed, and sets the exit code. Rethrows a bug. */
export function reportFailure(error: unknown, asJson: boolean): void {
  const kind = kindOfAny(error);
  if (kind === undefined) throw error;
  const text = asJson ? `${toJson(toMembers(error as Error, kind))}\n` : describe(error as Error);
  process.stderr.write(text);
  process.exitCode = exitCodes[kind];
}

function kindOfAny(error: unknown): FailureKind | undefined {
  if (error instanceof Failure) return error.kind;
  if (error instanceof MajlisError) return kindOf(error);
  return error instanceof CannotRun ? 'failed' : undefined;
}

function toMembers(error: Error, kind: FailureKind): object {
  if (error instanceof ConnectionError) return { failure: kind, message: explain(error), was_sent: error.wasSent };
  if (!(error instanceof ApiError)) return { failure: kind, message: error.message };
  const { status, code, detail, errors, requestId, retryAfter_seconds } = error;
  return {
    failure: kind,
    status,
    code,
    detail,
    errors,
    request_id: requestId,
    retry_after_seconds: retryAfter_seconds,
  };
}

function describe(error: Error): string {
  const lines = [error.message];
  if (error instanceof ApiError) {
    const { code, errors, retryAfter_seconds } = error;
    for (const { pointer, detail: fault } of errors) lines.push(`  ${pointer} ${fault}`);
    const hint = code === undefined ? undefined : hints[code];
    if (hint !== undefined) lines.push(`  ${hint}`);
    if (retryAfter_seconds !== undefined) lines.push(`  Try again in ${Math.ceil(retryAfter_seconds)} s.`);
  } else if (error instanceof ConnectionError) {
    lines[0] = explain(error);
  }
  return `majlis: ${lines.map(printable).join('\n')}\n`;
}

/** What to do about a refusal, where a command helps. */
const hints: Partial<Record<string, string>> = {
  unauthorized: 'majlis login stores another key.',
  window_closed: 'Send a template: majlis send TO --template NAME --language LANGUAGE.',
  conversation_closed: 'Reopen it: majlis conversations reopen CONVERSATION.',
  bot_in_control: 'Take it over: majlis conversations hand-over CONVERSATION --to human.',
  template_not_found: 'List the approved ones: majlis templates list --status approved.',
};

function explain(error: ConnectionError): string {
  const reason = reasonOf(error.cause);
  return reason === undefined
    ? error.message
    : `${error.message.replace(/\.$/, '')} (${reason}). Is the service running?`;
}

function reasonOf(cause: unknown): string | undefined {
  const inner = (cause as { cause?: unknown } | undefined)?.cause ?? cause;
  const { code, message } = (inner ?? {}) as { code?: unknown; message?: unknown };
  return typeof code === 'string' ? code : typeof message === 'string' ? message : undefined;
}
