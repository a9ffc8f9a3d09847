import path from 'node:path';
import { CannotRun } from './cannot-run.ts';
import { readOidc } from './oidc-settings.ts';
import { readQuotas } from './quotas.ts';
import { type Environment, missing, readerOf } from './setting-reader.ts';

export type Command =
  | 'dev'
  | 'serve'
  | 'migrate'
  | 'apply'
  | 'clock'
  | 'replay'
  | 'events'
  | 'rotate-secret'
  | 'import-chatwoot';
export type Role = 'api' | 'worker';
export type Config = ReturnType<typeof readConfig>;

export interface S3Settings {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** The prefix of each key, without the slash at its end. */
  prefix: string | undefined;
}

export interface AiSettings {
  /** The base URL of a server with OpenAI's protocol, without `/chat/completions`. */
  baseUrl: string;
  apiKey: string | undefined;
  model: string | undefined;
  embeddingModel: string | undefined;
}

// A worker must still hold its lease when a slow answer of the platform arrives (hazard H5).
const leaseMarginSeconds = 5;

// In production, a secret that people made up could be guessed. `dev` takes shorter ones.
const secretLengths = { serve: 24, others: 8 };

/**
 * Reads the settings from the environment; no other code reads a setting there. An empty variable counts as unset. Throws
 * CannotRun with the setting's name if a value is missing or does not parse.
 */
export function readConfig(env: Environment, command: Command) {
  const read = readerOf(env);
  const dev = command === 'dev';
  const secretLength = command === 'serve' ? secretLengths.serve : secretLengths.others;
  const host = read.text('HOST') ?? '127.0.0.1';
  const port = read.number('PORT', 8080, 0, 65_535);
  const publicUrl = read.url('PUBLIC_URL', ['http:', 'https:']);
  // The address at which commands find the service. HOST and PORT precede PUBLIC_URL, since a proxy in front of PUBLIC_URL
  // may hide the operator API.
  const isHere = read.text('HOST') !== undefined || read.text('PORT') !== undefined;
  const serviceUrl = isHere || !publicUrl ? urlOf(host, port) : publicUrl;
  const simulatorHost = read.text('SIMULATOR_HOST') ?? '127.0.0.1';
  const simulatorPort = read.number('SIMULATOR_PORT', 8090, 0, 65_535);
  if (dev && port !== 0 && simulatorPort === port) {
    throw new CannotRun(`SIMULATOR_PORT is ${port}, but must be another one than PORT`);
  }
  const simulatorUrl = dev ? simulatorApiUrl(simulatorHost, simulatorPort) : undefined;
  const chatappApiUrl = read.url('CHATAPP_API_URL', ['http:', 'https:']) ?? simulatorUrl;
  if (!chatappApiUrl && command === 'serve') throw missing('CHATAPP_API_URL', "the base URL of the platform's API");
  const smtpUrl = read.url('SMTP_URL', ['smtp:', 'smtps:']);
  const smtpFrom = read.mailbox('SMTP_FROM');
  if (smtpUrl && !smtpFrom) throw missing('SMTP_FROM', 'the sender of the e-mails that SMTP_URL carries');
  if (smtpFrom && !smtpUrl) throw missing('SMTP_URL', 'the server that takes the e-mails of SMTP_FROM');
  const s3 = readS3(read);
  const pageSizeMax = read.number('PAGE_SIZE_MAX', 100, 1, 1_000);
  const platformTimeoutSeconds = read.number('PLATFORM_TIMEOUT_SECONDS', 10, 1, 300);
  const leaseSeconds = read.number('LEASE_SECONDS', 30, 1, 3_600);
  if (leaseSeconds < platformTimeoutSeconds + leaseMarginSeconds) {
    throw new CannotRun(
      `LEASE_SECONDS is ${leaseSeconds}, but must be at least PLATFORM_TIMEOUT_SECONDS (${platformTimeoutSeconds}) plus ${leaseMarginSeconds}`,
    );
  }
  const metricsPort = read.text('METRICS_PORT') === undefined ? undefined : read.number('METRICS_PORT', 0, 1, 65_535);
  if (metricsPort !== undefined && metricsPort === port) {
    throw new CannotRun(`METRICS_PORT is ${port}, but must be another one than PORT`);
  }
  return Object.freeze({
    host,
    port,
    publicUrl: publicUrl ?? urlOf(host, port),
    serviceUrl,
    dataDir: path.resolve(read.text('DATA_DIR') ?? 'data'),
    databaseUrl: read.url('DATABASE_URL', ['postgres:', 'postgresql:']),
    databasePoolSize: read.number('DATABASE_POOL_SIZE', 10, 1, 1_000),
    redisUrl: read.url('REDIS_URL', ['redis:', 'rediss:']),
    roles: read.list<Role>('ROLES', ['api', 'worker']),
    chatappApiUrl: chatappApiUrl ?? '',
    platformTimeoutSeconds,
    leaseSeconds,
    unknownOutcomeSeconds: read.number('UNKNOWN_OUTCOME_SECONDS', 900, 0, 7 * 86_400),
    operatorToken: requireHeaderText('OPERATOR_TOKEN', read.secret('OPERATOR_TOKEN', secretLength)),
    secretKey: read.secret('SECRET_KEY', secretLength),
    secretKeyOld: read.text('SECRET_KEY_OLD'),
    metricsPort,
    metricsToken: requireHeaderText('METRICS_TOKEN', read.secret('METRICS_TOKEN', secretLength)),
    testClock: read.flag('TEST_CLOCK', dev),
    simulatorHost,
    simulatorPort,
    /** The page of the simulated phones. `dev` sets it when the simulator listens. */
    simulatorPageUrl: undefined as string | undefined,
    simulatorToken: requireHeaderText('SIMULATOR_TOKEN', read.secret('SIMULATOR_TOKEN', 8)),
    rateLimits: read.flag('RATE_LIMITS', true),
    enforceScopes: read.flag('ENFORCE_SCOPES', true),
    comingSoon: read.flag('COMING_SOON', true),
    webhookAllowPrivate: read.flag('WEBHOOK_ALLOW_PRIVATE', dev),
    webhookHostRate: read.number('WEBHOOK_HOST_RATE', 500, 1, 100_000),
    pageSizeDefault: read.number('PAGE_SIZE_DEFAULT', Math.min(25, pageSizeMax), 1, pageSizeMax),
    pageSizeMax,
    pageBytesMax: read.number('PAGE_BYTES_MAX', 1_048_576, 1_024, 64 * 1_048_576),
    analyticsPeriodsMax: read.number('ANALYTICS_PERIODS_MAX', 4_000, 1, 100_000),
    bounds: {
      short: read.number('SHORT_TEXT_MAX', 512, 255, 65_536),
      long: read.number('LONG_TEXT_MAX', 32_768, 4_096, 1_048_576),
      document: read.number('DOCUMENT_MAX', 262_144, 32_768, 4 * 1_048_576),
      list: read.number('LIST_MAX', 1_000, 100, 100_000),
      object: read.number('OBJECT_MAX', 1_000, 100, 100_000),
    },
    quotas: readQuotas(read),
    listBytesMax: read.number('LIST_BYTES_MAX', 16 * 1_048_576, 1_024, 64 * 1_048_576),
    bodyLimitBytes: read.number('BODY_LIMIT_BYTES', 4 * 1_048_576, 1_024, 64 * 1_048_576),
    smallBodyLimitBytes: read.number('SMALL_BODY_LIMIT_BYTES', 1_048_576, 1_024, 64 * 1_048_576),
    bodiesInFlightBytes: read.number('BODIES_IN_FLIGHT_BYTES', 32 * 1_048_576, 1_024, 64 * 1_073_741_824),
    requestTimeoutSeconds: read.number('REQUEST_TIMEOUT_SECONDS', 30, 1, 3_600),
    answerStallSeconds: read.number('ANSWER_STALL_SECONDS', 30, 1, 60),
    connectionsPerAddress: read.number('CONNECTIONS_PER_ADDRESS', 1_000, 1, 1_000_000),
    liveStreams: read.number('LIVE_STREAMS', 2_000, 1, 100_000),
    // A console takes a stream that is silent for 40 s for broken.
    liveHeartbeatSeconds: read.number('LIVE_HEARTBEAT_SECONDS', 15, 1, 30),
    trustedProxies: read.networks('TRUSTED_PROXIES'),
    uploadTimeoutSeconds: read.number('UPLOAD_TIMEOUT_SECONDS', 900, 1, 86_400),
    mediaQuotaMb:
      read.text('MEDIA_QUOTA_MB') === undefined ? undefined : read.number('MEDIA_QUOTA_MB', 0, 1, 1_000_000_000),
    diskReserveMb:
      read.text('DISK_RESERVE_MB') === undefined ? undefined : read.number('DISK_RESERVE_MB', 0, 0, 1_000_000_000),
    unusedUploadDays: read.number('UNUSED_UPLOAD_DAYS', 30, 1, 3_650),
    chatappMediaHosts: read.hosts('CHATAPP_MEDIA_HOSTS', 'lookaside.fbsbx.com'),
    s3,
    ai: readAi(read),
    workflowRunsPerChain: read.number('WORKFLOW_RUNS_PER_CHAIN', 100, 1, 100_000),
    workflowRunsPerMinute: read.number('WORKFLOW_RUNS_PER_MINUTE', 6_000, 1, 1_000_000),
    aiTimeoutSeconds: read.number('AI_TIMEOUT_SECONDS', 30, 1, 600),
    aiQuietSeconds: read.number('AI_QUIET_SECONDS', 3, 0, 600),
    smtpUrl,
    smtpFrom,
    oidc: readOidc(read),
    logLevel: read.one(
      'LOG_LEVEL',
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      dev ? 'warn' : 'info',
    ),
  });
}

/** A token travels in a header, so only characters that a header allows are accepted. */
function requireHeaderText(name: string, token: string | undefined): string | undefined {
  if (token && !/^[\x20-\x7e]+$/.test(token)) {
    throw new CannotRun(`${name} must be of printable ASCII characters, because it travels in a header`);
  }
  return token;
}

const s3Settings = {
  S3_ENDPOINT: 'the address of the object storage',
  S3_REGION: 'the region of the object storage',
  S3_BUCKET: 'the bucket that media are kept in',
  S3_ACCESS_KEY_ID: 'the access key of the object storage',
  S3_SECRET_ACCESS_KEY: 'the secret key of the object storage',
};

/** Requires all S3 settings or none: otherwise the first upload would find the gap. */
function readS3(read: ReturnType<typeof readerOf>): S3Settings | undefined {
  const names = Object.keys(s3Settings) as (keyof typeof s3Settings)[];
  const prefix = read.text('S3_PREFIX')?.replace(/^\/+|\/+$/g, '') || undefined;
  if (!prefix && names.every((name) => read.text(name) === undefined)) return undefined;
  const absent = names.find((name) => read.text(name) === undefined);
  if (absent) throw missing(absent, `${s3Settings[absent]}, which the other S3 settings need`);
  return {
    endpoint: read.url('S3_ENDPOINT', ['http:', 'https:'])!,
    region: read.text('S3_REGION')!,
    bucket: read.text('S3_BUCKET')!,
    accessKeyId: read.text('S3_ACCESS_KEY_ID')!,
    secretAccessKey: read.text('S3_SECRET_ACCESS_KEY')!,
    prefix,
  };
}

/** Undefined if no model provider is set: AI then works without one. */
function readAi(read: ReturnType<typeof readerOf>): AiSettings | undefined {
  const baseUrl = read.url('AI_BASE_URL', ['http:', 'https:']);
  const names = {
    apiKey: read.text('AI_API_KEY'),
    model: read.text('AI_MODEL'),
    embeddingModel: read.text('AI_EMBEDDING_MODEL'),
  };
  const isNamed = names.model !== undefined || names.embeddingModel !== undefined;
  if (!baseUrl && (isNamed || names.apiKey))
    throw missing('AI_BASE_URL', 'the address of the server that has the models');
  if (baseUrl && !isNamed) throw missing('AI_MODEL', 'the model that AI_BASE_URL is to be asked for');
  return baseUrl ? { baseUrl, ...names } : undefined;
}

/** The base URL of the simulator that `dev` starts. */
export function simulatorApiUrl(host: string, port: number): string {
  return `${urlOf(host, port)}/v24.0`;
}

/** The URL of a listener for a client on this machine. */
export function urlOf(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
