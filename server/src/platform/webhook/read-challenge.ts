/** What the platform asks when it is told where to report to (section 6.1). */
export interface Challenge {
  verify_token: string;
  /** To be answered as plain text where the token is one of ours. */
  challenge: string;
}

/** `query` is the raw query string: parsers that take the dots of `hub.mode` for nesting have lost the names. */
export function readChallenge(query: string): Challenge | undefined {
  const parameters = new URLSearchParams(query);
  const verify_token = parameters.get('hub.verify_token');
  const challenge = parameters.get('hub.challenge');
  if (parameters.get('hub.mode') !== 'subscribe' || !verify_token || !challenge) return undefined;
  return { verify_token, challenge };
}
