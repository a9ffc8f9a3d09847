import { listNumbers, type SealedNumber } from '../channels/queries.ts';
import type { Connection } from '../database/pool.ts';
import type { SecretBox } from '../secrets/encrypt.ts';
import { listUnconfirmedTemplates, type UnconfirmedTemplate } from '../templates/queries.ts';

/** A number with the secrets that the platform shares with its channel. */
export interface PlatformNumber extends Omit<SealedNumber, 'access_token' | 'app_secret'> {
  access_token: string;
  app_secret: string;
}

/** What the platform has to know of this installation. A simulated platform learns it here, a real one from its own users. */
export interface PlatformSetup {
  numbers: PlatformNumber[];
  templates: UnconfirmedTemplate[];
}

/** Reads the numbers of all workspaces, and the templates of their files that the platform has not confirmed. */
export async function readPlatformSetup(connection: Connection, secretBox: SecretBox): Promise<PlatformSetup> {
  return {
    numbers: (await listNumbers(connection)).flatMap((number) => openNumber(secretBox, number)),
    templates: await listUnconfirmedTemplates(connection),
  };
}

/** Passes over a number whose secrets another SECRET_KEY sealed: the start logs them. */
function openNumber(secretBox: SecretBox, number: SealedNumber): PlatformNumber[] {
  try {
    const access_token = secretBox.open(number.access_token, 'channels.access_token');
    return [{ ...number, access_token, app_secret: secretBox.open(number.app_secret, 'channels.app_secret') }];
  } catch {
    return [];
  }
}
