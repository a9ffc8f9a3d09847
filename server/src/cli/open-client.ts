import { Majlis } from '@majlis/sdk';
import { version } from '../process/version.ts';
import { Failure } from './failure.ts';
import { defaultProfile, findProfile } from './profiles.ts';

export const defaultUrl = 'http://127.0.0.1:8080';

export interface Connection {
  client: Majlis;
  url: string;
  /** Undefined where the key comes from the environment. */
  profile: string | undefined;
}

/** The client of the named profile, else of MAJLIS_KEY and MAJLIS_URL, else of MAJLIS_PROFILE or the default profile. */
export async function openClient({ profile }: { profile?: string }): Promise<Connection> {
  const { MAJLIS_KEY, MAJLIS_URL, MAJLIS_PROFILE } = process.env;
  if (profile === undefined && MAJLIS_KEY) {
    return connect({ url: MAJLIS_URL || defaultUrl, key: MAJLIS_KEY, profile: undefined });
  }
  const name = profile ?? (MAJLIS_PROFILE || defaultProfile);
  const found = await findProfile(name);
  if (!found) {
    const login = name === defaultProfile ? 'majlis login' : `majlis login --profile ${name}`;
    throw new Failure('unauthorized', `There is no profile ${name}: run ${login}, or set MAJLIS_KEY and MAJLIS_URL.`);
  }
  return connect({ url: found.url, key: found.key, profile: name });
}

export function connect({ url, key, profile }: { url: string; key: string; profile: string | undefined }): Connection {
  const headers = { 'User-Agent': `majlis-cli/${version}` };
  return { client: new Majlis({ apiKey: key, baseUrl: url, headers }), url, profile };
}
