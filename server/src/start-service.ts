import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import { buildApp } from './app.ts';
import { ensureReceiptKey } from './contacts/erase/receipts/receipt-keys.ts';
import { openPool } from './database/pool.ts';
import { createFeedFollowers } from './events/feed-followers.ts';
import { createInS3 } from './files/in-s3.ts';
import { createOnDisk } from './files/on-disk.ts';
import { createCursorCodec } from './http/cursor.ts';
import { createRateLimiter } from './http/limit-rate/create-rate-limiter.ts';
import { readToldRows } from './inbox/views/read-told-rows.ts';
import { notifyWorkers } from './jobs/notify-workers.ts';
import { createLiveStreams } from './live/live-streams.ts';
import { type PlatformSetup, readPlatformSetup } from './operator/read-platform-setup.ts';
import { createGuardedPoster } from './outbound/post-guarded.ts';
import { spaceCalls } from './outbound/space-calls.ts';
import { waitingPasswords } from './people/password.ts';
import { createPlatformClient } from './platform/client.ts';
import { createMediaClient } from './platform/media/media-client.ts';
import { openMetricsListener } from './probes/metrics-route.ts';
import type { EarlyListener } from './probes/open-early-listener.ts';
import type { Readiness } from './probes/routes.ts';
import { startClock } from './process/clock.ts';
import { closeApp } from './process/close-app.ts';
import { type Config, urlOf } from './process/config.ts';
import { watchDisk } from './process/disk-space.ts';
import { createMetrics } from './process/metrics.ts';
import type { Resources } from './process/resources.ts';
import { sealedPlaces } from './sealed-places.ts';
import { createSecretBox } from './secrets/encrypt.ts';
import { logUnopened } from './secrets/name-unopened.ts';
import { startWorker } from './worker.ts';

export interface StartService {
  config: Config;
  log: Logger;
  /** Tests set timeouts that a slow machine does not reach. */
  database: { connection: pg.ClientConfig; statement_timeout_ms?: number; connection_timeout_ms?: number };
  secrets: { operator_token: string; secret_key: Buffer; old_secret_keys?: Buffer[] };
  listener: EarlyListener;
  /** Takes what a simulated platform has to know, at the start and with each workspace file. */
  setUpPlatform?: ((setup: PlatformSetup) => void) | undefined;
  /** Ids by the ids of the examples that they replace in the reference. */
  exampleIds?: ReadonlyMap<string, string>;
  /** How long before the present the clock of a new database begins. */
  clock_behind_ms?: number | undefined;
}

export interface Service {
  /** The address of the listener for a client on this machine. */
  url: string;
  /** The live streams of this process: browsers in which people are signed in. */
  countStreams(): number;
  /** Stops claiming work, finishes the work under way, and closes everything. Tests have no load balancer to notify first. */
  drain(options?: { notice_ms?: number }): Promise<void>;
}

// A load balancer has this time to see /readyz answer 503 before the listener closes.
const drainNoticeMs = 250;
// Work that takes longer is cut off, so that the process and its database end within 15 s (operating.md). A platform call
// that is cut off leaves its job in the state of a crash.
const patienceMs = 9_000;
const closingMs = 1_000;

/** Starts the roles of ROLES on a migrated database behind an open early listener. Resolves once the service can serve. */
export async function startService(options: StartService): Promise<Service> {
  const pools = openPools(options);
  try {
    return await startOn(pools, options);
  } catch (error) {
    // The pools close before the database, which this start may own.
    await pools.close();
    throw error;
  }
}

type Pools = ReturnType<typeof openPools>;

function openPools({ config, log, database }: StartService) {
  const open = (size: number) => openPool({ statement_timeout_ms: 5_000, ...database, size, log });
  // API and workers have separate pools: a flood of requests does not stop dispatch, and the reverse (hazard H98).
  const api = open(config.databasePoolSize);
  // The registration of the worker holds one more connection.
  const worker = open(config.databasePoolSize + 1);
  return { api, worker, close: () => Promise.all([api.close(), worker.close()]) };
}

async function startOn(
  pools: Pools,
  { config, log, secrets, listener, setUpPlatform, exampleIds, clock_behind_ms }: StartService,
): Promise<Service> {
  const roles = new Set(config.roles);
  const clock = await startClock(pools.api, log, clock_behind_ms);
  const mediaFolder = path.join(config.dataDir, 'media');
  const disk = await watchDisk(config.dataDir, config.diskReserveMb, log);
  const shared = {
    config,
    disk,
    log,
    clock,
    metrics: createMetrics(waitingPasswords),
    secretBox: createSecretBox(secrets.secret_key, secrets.old_secret_keys),
    cursors: createCursorCodec(secrets.secret_key, secrets.old_secret_keys),
    files: config.s3 ? createInS3(config.s3, mediaFolder, disk) : createOnDisk(mediaFolder, disk),
    // The bound includes idle sockets: a worker makes 512 calls at once, and each receiver keeps its sockets for two seconds.
    poster: createGuardedPoster({ max_sockets: 4_096 }),
    hostCalls: spaceCalls(config.webhookHostRate),
  };
  setUpPlatform?.(await readPlatformSetup(pools.api, shared.secretBox));
  await ensureReceiptKey({ ...shared, pool: pools.api });
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

  const live = createLiveStreams({
    ...shared,
    pool: pools.api,
    streams_max: config.liveStreams,
    heartbeat_seconds: config.liveHeartbeatSeconds,
    readRows: (asked) => readToldRows({ ...shared, pool: pools.api }, asked),
  });
  const followers = createFeedFollowers({ ...shared, pool: pools.api });
  const app = buildApp({
    resources: { ...shared, pool: pools.api } satisfies Resources,
    platform,
    live,
    followers,
    limiter,
    exampleIds,
    operator: { operatorToken: secrets.operator_token, setUpPlatform, sealedPlaces },
    readiness,
    server: listener.server,
  });
  const worker = roles.has('worker')
    ? await startWorker({ ...shared, pool: pools.worker }, platform, platformMedia)
    : undefined;
  if (worker) pools.api.onAnnounced((kinds) => worker.poke(kinds));
  else notifyWorkers(pools.api, log);
  const metricsListener =
    config.metricsPort === undefined
      ? undefined
      : await openMetricsListener(config.metricsPort, { ...shared, pool: pools.api });
  // Every process answers the probes. Only those with the role `api` serve requests.
  await app.ready();
  listener.handOver(app.routing);
  // Many rows take seconds, so the service serves meanwhile.
  void logUnopened({ ...shared, pool: pools.api }, sealedPlaces).catch((error) => {
    if (!readiness.draining) log.error({ err: error }, 'it is not known whether SECRET_KEY opens all secrets');
  });
  const { address, port } = app.server.address() as AddressInfo;

  return {
    url: urlOf(address, port),
    countStreams: live.count,
    async drain({ notice_ms = drainNoticeMs } = {}) {
      readiness.draining = true;
      await pause(notice_ms);
      live.close();
      followers.close();
      await Promise.all([closeApp(app, patienceMs), atMost(patienceMs, worker?.stop())]);
      clock.stop();
      disk.stop();
      shared.files.close();
      const clients = Promise.all([
        metricsListener?.close(),
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

/** Waits at most `ms` for work that may hang. */
async function atMost(ms: number, work: Promise<unknown> | undefined): Promise<void> {
  await Promise.race([work, pause(ms, undefined, { ref: false })]);
}
