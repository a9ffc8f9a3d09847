import type { Logger } from 'pino';
import { openEarlyListener } from '../probes/open-early-listener.ts';
import type { Config } from '../process/config.ts';
import type { LocalSecrets } from '../process/local-secrets.ts';
import { type StartService, startService } from '../start-service.ts';
import { explainListen } from './check-port.ts';
import { openDatabase } from './open-database.ts';

export interface Majlis {
  /** The address of the listener for a client on this machine. */
  url: string;
  /** How many browsers follow the service live. */
  countStreams(): number;
  /** Drains the service, then ends the embedded database. */
  stop(): Promise<void>;
}

/** Starts probes, database, migrations and service, in this order. If a step fails, the earlier ones are stopped. */
export async function startMajlis(
  config: Config,
  log: Logger,
  secrets: LocalSecrets,
  simulated: Pick<StartService, 'setUpPlatform' | 'exampleIds' | 'clock_behind_ms'> = {},
): Promise<Majlis> {
  const address = { host: config.host, port: config.port, setting: 'PORT' as const };
  const listener = await openEarlyListener(config, log).catch(async (error) => {
    throw await explainListen(error, address);
  });
  try {
    return await startBehind({ config, log, secrets, listener, ...simulated });
  } catch (error) {
    listener.server.close();
    listener.server.closeAllConnections();
    throw error;
  }
}

async function startBehind(options: Omit<StartService, 'database'>): Promise<Majlis> {
  const database = await openDatabase(options.config, options.log);
  try {
    const service = await startService({ ...options, database });
    return {
      url: service.url,
      countStreams: service.countStreams,
      stop: () => service.drain().finally(database.close),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
