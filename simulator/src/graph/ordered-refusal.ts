import { GraphError } from './graph-error.ts';

/** The refusal of a script or switch, with the members of its code. */
export function orderedRefusal(code: number, now: number): GraphError {
  if (code === 190) return expiredToken(now);
  if (code === 0) return new GraphError(0, { message: '(#0) AuthException' });
  return new GraphError(code);
}

export function expiredToken(now: number): GraphError {
  const expired = new Date(now - 60_000).toUTCString();
  return new GraphError(190, {
    message: `Error validating access token: Session has expired on ${expired}. The current time is ${new Date(now).toUTCString()}.`,
    subcode: 463,
  });
}
