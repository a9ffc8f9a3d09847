import type { Logger } from 'pino';
import type { Connection } from '../database/pool.ts';
import type { SecretBox } from '../secrets/encrypt.ts';
import { type AppSecret, listAppSecrets } from './queries.ts';

interface Needs {
  pool: Connection;
  secretBox: SecretBox;
  log: Logger;
}

/**
 * Says at the start what would show only when messages fail and the platform's reports are refused: that the secrets of
 * channels were sealed with another SECRET_KEY. Starts all the same, since a workspace file that is applied again mends it.
 */
export async function checkSecrets({ pool, secretBox, log }: Needs): Promise<void> {
  const secrets = await listAppSecrets(pool);
  const unopened = secrets.filter((secret) => !opens(secretBox, secret)).length;
  if (unopened === 0) return;
  log.error(
    { secrets: secrets.length, unopened },
    'SECRET_KEY is not the one that secrets of channels were sealed with: start with that one, or apply the workspace files again',
  );
}

function opens(secretBox: SecretBox, { app_secret }: AppSecret): boolean {
  try {
    secretBox.open(app_secret, 'channels.app_secret');
    return true;
  } catch {
    return false;
  }
}
