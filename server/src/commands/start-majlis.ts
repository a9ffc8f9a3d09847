import type { Logger } from 'pino';
import { type Doorway, openDoorway } from '../probes/open-doorway.ts';
import type { Config } from '../process/config.ts';
import type { LocalSecrets } from '../process/local-secrets.ts';
import { startService } from '../start-service.ts';
import { explainListen } from './check-port.ts';
import { openDatabase } from './open-database.ts';

export interface Majlis {
  /** Where it listens, for a client on this machine. */
  url: string;
  /** Drains the service, then ends the embedded database. */
  stop(): Promise<void>;
}

/** Probes, database, migrations, service. What was started is stopped again when a later step fails. */
export async function startMajlis(config: Config, log: Logger, secrets: LocalSecrets): Promise<Majlis> {
  const listener = { host: config.host, port: config.port, setting: 'PORT' };
  const doorway = await openDoorway(listener).catch((error) => {
    throw explainListen(error, listener);
  });
  try {
    return await startBehind(doorway, config, log, secrets);
  } catch (error) {
    doorway.server.close();
    doorway.server.closeAllConnections();
    throw error;
  }
}

async function startBehind(doorway: Doorway, config: Config, log: Logger, secrets: LocalSecrets): Promise<Majlis> {
  const database = await openDatabase(config, log);
  try {
    const service = await startService({ config, log, database, secrets, doorway });
    return {
      url: service.url,
      stop: () => service.drain().finally(database.close),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
