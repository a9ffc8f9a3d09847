import type { EmailOutcome } from './email.ts';
import { withoutSecrets } from './without-secrets.ts';

/**
 * Maps a failed attempt to its outcome. A reply code says that the server did not take the text: for good (5xx) or for
 * now (4xx). Without a code, the outcome is unknown if the text was on its way, and the attempt may be repeated otherwise.
 */
export function describeFailure(error: unknown, { begun, text }: { begun: boolean; text: string }): EmailOutcome {
  const reason = withoutSecrets(error instanceof Error ? error.message : String(error), text);
  const code = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : undefined;
  if (code === undefined || Number.isNaN(code)) {
    if (begun) return { type: 'unknown', reason };
    return { type: isRefusedByLibrary(error) ? 'refused' : 'try_again', reason };
  }
  // 53x means a wrong password. The operator can correct it, so the e-mail is tried again.
  const isFinal = code >= 500 && !(code >= 530 && code < 540);
  return { type: isFinal ? 'refused' : 'try_again', reason };
}

/**
 * The library itself refuses an address that contains a command (`EENVELOPE`, hazard H108) and a text longer than the
 * server takes (`EMESSAGE`). A retry would fail the same way.
 */
function isRefusedByLibrary(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  const isUnsaid = 'command' in error && error.command === 'API';
  return (error.code === 'EENVELOPE' && isUnsaid) || error.code === 'EMESSAGE';
}
