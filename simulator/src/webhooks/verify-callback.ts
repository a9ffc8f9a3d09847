import { request } from 'undici';
import type { Rng } from '../world/random.ts';

/** Makes the verification GET (section 6.1). True where the receiver answers 200 with only the challenge. */
export async function verifyCallback(callback_url: string, verify_token: string, random: Rng): Promise<boolean> {
  const challenge = random.digits(10);
  try {
    const url = new URL(callback_url);
    url.searchParams.set('hub.mode', 'subscribe');
    url.searchParams.set('hub.verify_token', verify_token);
    url.searchParams.set('hub.challenge', challenge);
    const answer = await request(url, { method: 'GET', signal: AbortSignal.timeout(10_000) });
    return answer.statusCode === 200 && (await answer.body.text()) === challenge;
  } catch {
    return false;
  }
}
