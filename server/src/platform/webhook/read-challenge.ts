/** The platform's verification request for a callback address (section 6.1). */
export interface Challenge {
  verify_token: string;
  /** The plain-text answer where the token is known. */
  challenge: string;
}

/** `query` is the raw query string: some parsers read the dot in `hub.mode` as nesting. */
export function readChallenge(query: string): Challenge | undefined {
  const parameters = new URLSearchParams(query);
  const verify_token = parameters.get('hub.verify_token');
  const challenge = parameters.get('hub.challenge');
  if (parameters.get('hub.mode') !== 'subscribe' || !verify_token || !challenge) return undefined;
  return { verify_token, challenge };
}
