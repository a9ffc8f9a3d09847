import { Refusal } from '../../http/reply/refusal.ts';
import type { Resources } from '../../process/resources.ts';
import { type Purpose, useChallenge } from '../challenges.ts';

/** Uses up the challenge that the browser signed. Refuses an unknown, used or old one, and that of another session. */
export async function takeChallenge(
  { pool, clock }: Pick<Resources, 'pool' | 'clock'>,
  { response }: { response: { clientDataJSON: string } },
  purposes: readonly Purpose[],
  session_id: string | undefined,
): Promise<string> {
  const token = readChallenge(response.clientDataJSON);
  if (token !== undefined && (await useChallenge(pool, clock, { token, purposes, session_id }))) return token;
  throw new Refusal('sign_in_failed', { detail: 'The request took too long or was sent twice: begin again.' });
}

function readChallenge(clientDataJSON: string): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : undefined;
  } catch {
    return undefined;
  }
}
