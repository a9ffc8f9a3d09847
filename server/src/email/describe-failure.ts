import type { EmailOutcome } from './email.ts';

/**
 * What a failed attempt means. A reply with a code says that the server did not take the text: for good (5…), or for
 * the time being. Without one, all depends on whether it had begun to get it.
 */
export function describeFailure(error: unknown, begun: boolean): EmailOutcome {
  const reason = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : undefined;
  if (code === undefined || Number.isNaN(code)) {
    if (begun) return { type: 'unknown', reason };
    return { type: isRefusedByLibrary(error) ? 'refused' : 'try_again', reason };
  }
  // A wrong password is the operator's to mend, not the recipient's fault: 53x is tried again.
  const isFinal = code >= 500 && !(code >= 530 && code < 540);
  return { type: isFinal ? 'refused' : 'try_again', reason };
}

/**
 * Not said to the server at all: an address that would be a command (`EENVELOPE`, H108), or a text longer than the server takes
 * (`EMESSAGE`). Neither is another the next time.
 */
function isRefusedByLibrary(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  const isUnsaid = 'command' in error && error.command === 'API';
  return (error.code === 'EENVELOPE' && isUnsaid) || error.code === 'EMESSAGE';
}
