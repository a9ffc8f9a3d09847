import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { LocalSecrets } from '../local-secrets.ts';
import { startService } from '../start-service.ts';
import { checkPort, explainListen } from './check-port.ts';
import { openDatabase } from './open-database.ts';

export interface Majlis {
  /** Where it listens, for a client on this machine. */
  url: string;
  /** Drains the service, then ends the embedded database. */
  stop(): Promise<void>;
}

/** Database, migrations, service. What was started is stopped again when a later step fails. */
export async function startMajlis(config: Config, log: Logger, secrets: LocalSecrets): Promise<Majlis> {
  const listener = { host: config.host, port: config.port, setting: 'PORT' };
  await checkPort(listener);
  const database = await openDatabase(config, log);
  try {
    const service = await startService({ config, log, database, secrets });
    return {
      url: service.url,
      stop: () => service.drain().finally(database.close),
    };
  } catch (error) {
    await database.close();
    throw explainListen(error, listener);
  }
}
