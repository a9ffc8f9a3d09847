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
 * Logs at the start which channels have secrets that another SECRET_KEY sealed. Their messages would fail, and their
 * notifications would be refused. The service starts anyway, because applying the workspace file again mends them.
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
