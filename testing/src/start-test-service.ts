import { randomBytes, randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Simulator, type SimulatorOptions, startSimulator } from '@majlis/simulator';
import pg from 'pg';
import { openEarlyListener } from '../../server/src/probes/open-early-listener.ts';
import { type Config, readConfig } from '../../server/src/process/config.ts';
import { loadLocalSecrets } from '../../server/src/process/local-secrets.ts';
import { createLog } from '../../server/src/process/log.ts';
import { startService } from '../../server/src/start-service.ts';
import { type Api, createApi } from './api.ts';
import { boundedConnection } from './bounded-connection.ts';
import { cleanUp } from './cleanup.ts';
import { endPool, type HeldTransaction, holdTransaction } from './hold-transaction.ts';
import type { AnyJson } from './json.ts';
import { operatorToken, requestOperator } from './operator.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

export interface TestService {
  url: string;
  simulator: Simulator;
  /** DATA_DIR, where files are. */
  data_dir: string;
  /** The operator's door. */
  operator(method: string, path: string, body?: unknown): Promise<{ status: number; body: AnyJson }>;
  /** Makes a workspace with one number that the simulator knows; what `file` names is added or replaced. */
  workspace(file?: Record<string, unknown>): Promise<TestWorkspace>;
  /** Moves the test clock of every running service and of the platform. */
  advance(seconds: number): Promise<void>;
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Runs the statement in a transaction that stays open, with its locks, until it is undone or committed. */
  hold(text: string): Promise<HeldTransaction>;
  log: string[];
  /** Stops this service; the database and the platform stay for another. */
  stop(): Promise<void>;
  /** Another process of the same service, as far as one process can be two. */
  another(env?: Record<string, string>, timeouts?: Partial<typeof patient>): Promise<TestService>;
}

/** A running service, in this process or in another. */
export type RunningService = Pick<TestService, 'url' | 'operator' | 'sql'>;

// Longer than the product waits: no test fails because the machine is busy.
const patient = { statement_timeout_ms: 60_000, connection_timeout_ms: 60_000 };

export interface TestWorkspace {
  id: string;
  key: string;
  api: Api;
  channel_id: string;
  phone_number_id: string;
  waba_id: string;
  app_secret: string;
  access_token: string;
  /** What the operator's door answered. */
  applied: AnyJson;
}

/** Starts the service on a database of its own, with a simulated platform; all is ended after the test file. */
export async function startTestService(
  options: {
    env?: Record<string, string>;
    simulator?: Partial<SimulatorOptions>;
    timeouts?: Partial<typeof patient>;
    database?: TestDatabase;
    lc_ctype?: string;
  } = {},
): Promise<TestService> {
  const database = options.database ?? (await createTestDatabase(options));
  cleanUp('the database', () => database.drop());
  const simulator = await startSimulator({
    port: 0,
    delays: { sent_ms: 5, delivered_ms: 15, read_ms: 25, review_ms: 10 },
    ...options.simulator,
  });
  cleanUp('the simulator', () => simulator.close());
  const data_dir = await mkdtemp(path.join(tmpdir(), 'majlis-files-'));
  cleanUp('the files', () => rm(data_dir, { recursive: true, force: true }));
  const secrets = { operator_token: operatorToken, secret_key: randomBytes(32) };
  const running: TestService[] = [];
  cleanUp('the services', () => stopAll(running), 30_000);

  async function start(env: Record<string, string> = {}, timeouts = options.timeouts): Promise<TestService> {
    const log: string[] = [];
    const config: Config = readConfig(
      {
        HOST: '127.0.0.1',
        PORT: '0',
        DATA_DIR: data_dir,
        DATABASE_URL: 'postgres://stated-below',
        CHATAPP_API_URL: simulator.api_url,
        TEST_CLOCK: '1',
        WEBHOOK_ALLOW_PRIVATE: '1',
        ...options.env,
        ...env,
      },
      'serve',
    );
    const logger = createLog('debug', { write: (line: string) => void log.push(line) });
    const service = await startService({
      config,
      log: logger,
      database: { connection: database.connection, ...patient, ...timeouts },
      // A test of the keys names them in its settings.
      secrets: config.secretKey ? await loadLocalSecrets({ ...config, operatorToken }) : secrets,
      listener: await openEarlyListener(config, logger),
    });
    const pool = new pg.Pool({ ...boundedConnection(database.connection), max: 3 });
    let stopped = false;
    const majlis: TestService = {
      url: service.url,
      simulator,
      data_dir,
      log,
      operator: (method, path, body) => requestOperator(service.url, method, path, body),
      workspace: (file) => makeWorkspace(majlis, file),
      async advance(seconds) {
        simulator.advance(seconds * 1000);
        await moveClock(majlis, seconds);
        // The others would follow within a second: a move by nothing makes them look at once.
        for (const other of running) if (other !== majlis) await moveClock(other, 0);
      },
      sql: async (text, values) => (await pool.query(text, values)).rows,
      hold: (text) => holdTransaction(pool, text),
      async stop() {
        if (stopped) return;
        stopped = true;
        running.splice(running.indexOf(majlis), 1);
        try {
          await endPool(pool);
        } finally {
          await service.drain({ notice_ms: 0 });
        }
      },
      another: start,
    };
    running.push(majlis);
    return majlis;
  }

  return start();
}

async function stopAll(running: readonly TestService[]): Promise<void> {
  const stops = await Promise.allSettled([...running].map((majlis) => majlis.stop()));
  const faults = stops.flatMap((stop) => (stop.status === 'rejected' ? [stop.reason] : []));
  if (faults.length > 0) throw new AggregateError(faults, 'a service did not stop');
}

async function moveClock({ operator }: TestService, advance_seconds: number): Promise<void> {
  const { status } = await operator('POST', '/clock', { advance_seconds });
  if (status !== 200) throw new Error(`the clock answered ${status}`);
}

async function makeWorkspace(majlis: TestService, file: Record<string, unknown> = {}): Promise<TestWorkspace> {
  const unique = randomBytes(5).toString('hex');
  const phone_number_id = `44${randomInt(1e12)}`;
  const waba_id = `33${randomInt(1e12)}`;
  const access_token = `token-${unique}`;
  const app_secret = `app-secret-${unique}`;
  const verify_token = `verify-${unique}`;
  const number = { phone_number_id, waba_id, access_token, display_phone: '+96880000001', verified_name: 'Acme' };
  majlis.simulator.addNumber({
    ...number,
    webhook: { callback_url: `${majlis.url}/platform/chatapp/webhook`, app_secret, verify_token },
  });
  for (const template of templates) majlis.simulator.addTemplate(toPlatform(waba_id, template));
  const { status, body: applied } = await majlis.operator('PUT', '/workspaces', {
    workspace: { name: `Acme ${unique}`, country: 'OM', timezone: 'Asia/Muscat', language: 'ar', plan: 'growth' },
    channels: [{ type: 'chatapp', name: 'Support', app_secret, verify_token, messaging_tier: 1000, ...number }],
    templates,
    api_keys: [{ name: 'backend', environment: 'test', scopes: ['messages:write', 'contacts:read', 'contacts:write'] }],
    ...file,
  });
  if (status !== 200) throw new Error(`the workspace was not made: ${status} ${JSON.stringify(applied)}`);
  const key = applied.api_keys[0]?.key as string;
  return {
    id: applied.workspace.id,
    key,
    api: createApi(majlis.url, key),
    channel_id: applied.channels[0]?.id,
    phone_number_id,
    waba_id,
    app_secret,
    access_token,
    applied,
  };
}

/** Approved in every workspace of the tests. */
export const templates = [
  {
    name: 'order_update',
    language: 'en',
    category: 'utility',
    components: [{ type: 'body', text: 'Hello {{1}}, your order {{2}} has left.', examples: ['Muna', 'A-1'] }],
  },
  {
    name: 'spring_sale',
    language: 'en',
    category: 'marketing',
    components: [{ type: 'body', text: 'Everything at half price.' }],
  },
];

/** The body of a send with the template of utility. */
export const templateMessage = {
  kind: 'template',
  template: { name: 'order_update', language: 'en', params: ['Muna', 'A-1042'] },
};

/** The same template as the platform's own account has it. */
export function toPlatform(waba_id: string, { name, language, category, components }: (typeof templates)[number]) {
  const wire = components.map(({ type, text, ...more }) => ({
    type: type.toUpperCase(),
    text,
    ...('examples' in more && { example: { body_text: [more.examples] } }),
  }));
  return { waba_id, name, language, category: category.toUpperCase(), components: wire };
}
