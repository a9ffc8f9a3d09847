import type { Call } from './act.ts';
import { askSecret } from './ask.ts';
import { Failure } from './failure.ts';
import { connect, defaultUrl } from './open-client.ts';
import { describeRows, printResult, tell } from './print-result.ts';
import { printable } from './printable.ts';
import { checkProfileName, configFile, findProfile, readProfiles, writeProfile } from './profiles.ts';

export interface ProfileOptions {
  profile: string;
  json?: boolean;
}

export interface LoginOptions extends ProfileOptions {
  url?: string;
}

/** `majlis login`: checks the key with the service and stores it. The key is never an argument, because all users see those. */
export async function login({ options }: Call<LoginOptions>): Promise<void> {
  const name = checkProfileName(options.profile);
  const before = await findProfile(name);
  const address = options.url ?? before?.url ?? (process.env.MAJLIS_URL || defaultUrl);
  const key = await askSecret(`API key for ${printable(address)}: `);
  if (key === '') throw new Failure('usage', 'No key came. Type it at the prompt, or send it: majlis login < FILE.');
  const { client } = connect({ url: address, key, profile: name });
  const me = await client.workspace.getKey();
  const { workspace_id, workspace_name, environment, key_prefix, scopes } = me;
  await writeProfile(name, { url: client.baseUrl, key, workspace_id, workspace_name });
  if (new URL(client.baseUrl).protocol === 'http:' && !isThisMachine(client.baseUrl)) {
    tell(`majlis: ${client.baseUrl} has no TLS: others on the way can read the key.`);
  }
  if (options.json) return printResult(me, { json: true });
  tell(
    `Signed in to ${printable(workspace_name)} with the ${environment} key ${key_prefix}… (${scopes.join(', ') || 'no scopes'}).`,
  );
  tell(`Profile ${name} in ${configFile()}.`);
}

function isThisMachine(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}

export async function logout({ options }: Call<ProfileOptions>): Promise<void> {
  const name = checkProfileName(options.profile);
  if (!(await findProfile(name))) throw new Failure('not_found', `There is no profile ${name}.`);
  await writeProfile(name, undefined);
  tell(`Profile ${name} is removed. The key is still valid: revoke it in the console where it is not needed.`);
}

export async function listProfiles({ options }: Call<{ json?: boolean }>): Promise<void> {
  const { profiles } = await readProfiles();
  const rows = Object.entries(profiles).map(([name, { url, workspace_id, workspace_name }]) => {
    return { name, url, workspace_id, workspace_name };
  });
  if (options.json) return printResult({ data: rows }, { json: true });
  process.stdout.write(describeRows(rows));
}
