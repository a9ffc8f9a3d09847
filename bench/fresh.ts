import { setTimeout } from 'node:timers/promises';
import { processWebhook } from '../server/src/inbound/jobs.ts';
import { makeTemplates } from './broadcasts.ts';
import { type BenchEnvironment, createBenchEnvironment } from './environment.ts';
import { messageNotification } from './inbound.ts';
import { assertAll, type LoadRequest, load } from './load.ts';
import { print } from './print.ts';
import { deliver } from './sending.ts';
import type { BenchService } from './service.ts';
import { type BenchTenant, makeWorkspaces } from './tenants.ts';

const connections = 16;
const rowsOfImport = 1_000;
const wholeRun_s = 600;
const window_s = 4;
let newest = 0;

interface Path {
  status: number;
  /** What one request adds. */
  customers: number;
  request(tenant: BenchTenant): LoadRequest;
  /** The kind of the jobs that belong to it. */
  kind?: string;
}

/** What makes customers who were not known. */
export const paths: Record<string, Path> = {
  'sends to new customers': {
    ...{ status: 201, customers: 1, kind: deliver },
    request: (tenant) => {
      const template = { name: 'ready', language: 'en' };
      return post(tenant, '/v1/messages', { to: newNumber(), kind: 'template', template });
    },
  },
  'messages of new customers': {
    ...{ status: 200, customers: 1, kind: processWebhook },
    request: (tenant) => messageNotification([tenant], 0, newNumber().slice(1)),
  },
  'an import': {
    ...{ status: 200, customers: rowsOfImport },
    request: (tenant) => {
      const row = () => ({ name: 'Muna', identities: [{ channel_type: 'chatapp', identifier: newNumber() }] });
      return post(tenant, '/v1/contacts/import', { contacts: Array.from({ length: rowsOfImport }, row) });
    },
  },
};

/**
 * Each path in a database that it fills from empty, and that nobody but the service analyses: the rate of each window of four seconds
 * as a ratio of the rate after ANALYZE. `share` of the ten minutes of a whole run. `named`: a part of the name of a path. The aim is that
 * no window is below 0.8.
 */
export async function measureFresh(share: number, named = ''): Promise<void> {
  const windows = Math.max(1, Math.round((wholeRun_s * share) / window_s));
  for (const [name, path] of Object.entries(paths).filter(([name]) => name.includes(named))) {
    const stage = await createBenchEnvironment(0, { autovacuum: 'off' });
    try {
      const [tenant] = await makeWorkspaces(stage, 1);
      await makeTemplates(stage.db);
      const service = await stage.start('api,worker');
      const measure = (seconds: number) => measurePath(stage, service, path, tenant!, { seconds });
      const paces: Pace[] = [];
      for (let n = 0; n < windows; n++) paces.push(await measure(window_s));
      await stage.db.query('analyze');
      const analysed = await measure(5 * window_s);
      printWindows(name, paces, analysed);
    } finally {
      await stage.close();
    }
  }
}

function printWindows(name: string, paces: readonly Pace[], analysed: Pace): void {
  const ratios = (of: keyof Pace) => paces.map((pace) => pace[of] / analysed[of]);
  const inTenths = (of: keyof Pace) => {
    const all = ratios(of);
    const tenths = Array.from({ length: 10 }, (_, n) =>
      all.slice(Math.floor((n * all.length) / 10), Math.floor(((n + 1) * all.length) / 10)),
    );
    return tenths.filter((tenth) => tenth.length > 0).map((tenth) => (sum(tenth) / tenth.length).toFixed(2));
  };
  const rates = ratios('per_second');
  const slowest = Math.min(...rates);
  const slow = rates.filter((rate) => rate < 0.8).length;
  print(`${name}: after ANALYZE`, `${analysed.per_second.toFixed(0)}/s`);
  print(
    `  slowest of ${rates.length} windows of ${window_s} s`,
    `${slowest.toFixed(2)}, the ${rates.indexOf(slowest) + 1}.`,
  );
  print('  windows below 0.8', `${slow}`);
  print('  the means of tenths, as a ratio', inTenths('per_second').join(' '));
  print('  processor time of PostgreSQL, as a ratio', inTenths('postgres_ms').join(' '));
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

export interface Pace {
  /** Customers, until what belongs to them is done. */
  per_second: number;
  /** For each customer. */
  postgres_ms: number;
}

export async function measurePath(
  stage: BenchEnvironment,
  service: BenchService,
  { customers, kind, status, request }: Path,
  tenant: BenchTenant,
  limit: { customers: number } | { seconds: number },
): Promise<Pace> {
  const costs = stage.measureCosts(service);
  const from = performance.now();
  const until = 'seconds' in limit ? limit : { requests: Math.max(1, Math.round(limit.customers / customers)) };
  const answered = await load({ url: service.url, connections, ...until, next: () => request(tenant) });
  assertAll(answered, status);
  while (kind && (await stage.jobsOf(kind)) > 0) await setTimeout(20);
  const made = answered.requests * customers;
  return { per_second: made / ((performance.now() - from) / 1000), postgres_ms: costs()[1] / made };
}

function newNumber(): string {
  return `+${96_872_000_000 + newest++}`;
}

function post({ key }: BenchTenant, path: string, body: object): LoadRequest {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return { method: 'POST', path, headers, body: JSON.stringify(body) };
}
