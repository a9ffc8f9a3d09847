import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import { buildApp } from './app.ts';
import { checkSecrets } from './channels/check-secrets.ts';
import { openPool } from './database/pool.ts';
import { createFileStore } from './files/create-file-store.ts';
import { createCursorCodec } from './http/cursor.ts';
import { createRateLimiter } from './http/limit-rate/create-rate-limiter.ts';
import { notifyWorkers } from './jobs/notify-workers.ts';
import { createGuardedPoster } from './outbound/post-guarded.ts';
import { spaceCalls } from './outbound/space-calls.ts';
import { createPlatformClient } from './platform/client.ts';
import { createMediaClient } from './platform/media/media-client.ts';
import type { Doorway } from './probes/open-doorway.ts';
import type { Readiness } from './probes/routes.ts';
import { startClock } from './process/clock.ts';
import { closeApp } from './process/close-app.ts';
import { type Config, urlOf } from './process/config.ts';
import { createMetrics } from './process/metrics.ts';
import type { Resources } from './process/resources.ts';
import { createSecretBox } from './secrets/encrypt.ts';
import { startWorker } from './worker.ts';

export interface StartService {
  config: Config;
  log: Logger;
  database: { connection: pg.ClientConfig };
  secrets: { operator_token: string; secret_key: Buffer };
  doorway: Doorway;
}

export interface Service {
  /** Where it listens, for a client on this machine. */
  url: string;
  /** Stops taking work, finishes what is under way, closes everything. */
  drain(): Promise<void>;
}

// How long a load balancer has to see that /readyz answers 503 before the listener closes.
const drainNoticeMs = 250;
// What takes longer hangs: it is cut off, so that the process, its database included, ends within 15 s. A call to the
// platform that is cut off leaves its job as a crash would.
const patienceMs = 9_000;
const closingMs = 1_000;

/** Starts what ROLES names on a migrated database behind a doorway that is open, and answers once it can serve. */
export async function startService(options: StartService): Promise<Service> {
  const pools = openPools(options);
  try {
    return await startOn(pools, options);
  } catch (error) {
    // Before the database that may end with this start.
    await pools.close();
    throw error;
  }
}

type Pools = ReturnType<typeof openPools>;

function openPools({ config, log, database: { connection } }: StartService) {
  const open = (size: number) => openPool({ connection, size, statement_timeout_ms: 5_000, log });
  // Workers have connections of their own: a flood of requests does not stop dispatch, nor the other way round.
  const api = open(config.databasePoolSize);
  // One more, which the worker keeps for itself.
  const worker = open(config.databasePoolSize + 1);
  return { api, worker, close: () => Promise.all([api.close(), worker.close()]) };
}

async function startOn(pools: Pools, { config, log, secrets, doorway }: StartService): Promise<Service> {
  const roles = new Set(config.roles);
  const clock = await startClock(pools.api, log);
  const shared = {
    config,
    log,
    clock,
    metrics: createMetrics(),
    secretBox: createSecretBox(secrets.secret_key),
    cursors: createCursorCodec(secrets.secret_key),
    files: createFileStore(config),
    // Idle ones included: a worker has 512 calls at once, and each receiver keeps what it needed in the last two seconds.
    poster: createGuardedPoster({ max_sockets: 4_096 }),
    hostCalls: spaceCalls(config.webhookHostRate),
  };
  await checkSecrets({ ...shared, pool: pools.api });
  const platform = createPlatformClient({
    base_url: config.chatappApiUrl,
    timeout_ms: config.platformTimeoutSeconds * 1000,
  });
  const platformMedia = createMediaClient({
    base_url: config.chatappApiUrl,
    timeout_ms: config.platformTimeoutSeconds * 1000,
    media_hosts: config.chatappMediaHosts,
  });
  const limiter = await createRateLimiter({ redis_url: config.redisUrl, log });
  const readiness: Readiness = { draining: false };

  const app = buildApp({
    resources: { ...shared, pool: pools.api } satisfies Resources,
    limiter,
    operatorToken: secrets.operator_token,
    readiness,
    server: doorway.server,
  });
  const worker = roles.has('worker')
    ? await startWorker({ ...shared, pool: pools.worker }, platform, platformMedia)
    : undefined;
  if (worker) pools.api.onAnnounced((kinds) => worker.poke(kinds));
  else notifyWorkers(pools.api, log);
  // Every process answers the probes; only those with the role `api` are to be asked for more.
  await app.ready();
  doorway.handOver(app.routing);
  const { address, port } = app.server.address() as AddressInfo;

  return {
    url: urlOf(address, port),
    async drain() {
      readiness.draining = true;
      await pause(drainNoticeMs);
      await Promise.all([closeApp(app, patienceMs), atMost(patienceMs, worker?.stop())]);
      clock.stop();
      shared.files.close();
      const clients = Promise.all([
        platform.close(),
        platformMedia.close(),
        shared.poster.close(),
        limiter.close(),
        pools.close(),
      ]);
      await atMost(closingMs, clients);
    },
  };
}

/** Waits for what may hang. */
async function atMost(ms: number, work: Promise<unknown> | undefined): Promise<void> {
  await Promise.race([work, pause(ms, undefined, { ref: false })]);
}
