import { setTimeout } from 'node:timers/promises';
import { processWebhook } from '../server/src/inbound/jobs.ts';
import { makeTemplates } from './broadcasts.ts';
import { type BenchEnvironment, createBenchEnvironment } from './environment.ts';
import { messageNotification } from './inbound.ts';
import { assertAll, type LoadRequest, load } from './load.ts';
import { print, ratio } from './print.ts';
import { deliver } from './sending.ts';
import type { BenchService } from './service.ts';
import { type BenchTenant, makeWorkspaces } from './tenants.ts';

const connections = 16;
const rowsOfImport = 1_000;
let newest = 0;

interface Path {
  /** Of 60,000. */
  count: number;
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
    ...{ count: 60_000, status: 201, customers: 1, kind: deliver },
    request: (tenant) => {
      const template = { name: 'ready', language: 'en' };
      return post(tenant, '/v1/messages', { to: newNumber(), kind: 'template', template });
    },
  },
  'messages of new customers': {
    ...{ count: 60_000, status: 200, customers: 1, kind: processWebhook },
    request: (tenant) => messageNotification([tenant], 0, newNumber().slice(1)),
  },
  'an import': {
    ...{ count: 50_000, status: 200, customers: rowsOfImport },
    request: (tenant) => {
      const row = () => ({ name: 'Muna', identities: [{ channel_type: 'chatapp', identifier: newNumber() }] });
      return post(tenant, '/v1/contacts/import', { contacts: Array.from({ length: rowsOfImport }, row) });
    },
  },
};

/**
 * Each path in a database that it fills from empty, and that nobody but the service analyses: the rate of each tenth as a
 * ratio of the rate after ANALYZE. `share` of the customers of a whole run.
 */
export async function measureFresh(share: number): Promise<void> {
  for (const [name, path] of Object.entries(paths)) {
    const stage = await createBenchEnvironment(0, { autovacuum: 'off' });
    try {
      const [tenant] = await makeWorkspaces(stage, 1);
      await makeTemplates(stage.db);
      const service = await stage.start('api,worker');
      const customers = (path.count * share) / 10;
      const tenths: Pace[] = [];
      for (let n = 0; n < 10; n++) tenths.push(await measurePath(stage, service, path, tenant!, customers));
      await stage.db.query('analyze');
      const analysed = await measurePath(stage, service, path, tenant!, customers);
      const ratios = (name: keyof Pace) => tenths.map((tenth) => ratio(tenth[name], analysed[name])).join(' ');
      print(`${name}: ${10 * customers} from empty, analysed`, `${analysed.per_second.toFixed(0)}/s`);
      print('  each tenth, as a ratio of that', ratios('per_second'));
      print('  processor time of PostgreSQL, as a ratio', ratios('postgres_ms'));
    } finally {
      await stage.close();
    }
  }
}

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
  count: number,
): Promise<Pace> {
  const costs = stage.measureCosts(service);
  const from = performance.now();
  const requests = Math.max(1, Math.round(count / customers));
  assertAll(await load({ url: service.url, connections, requests, next: () => request(tenant) }), status);
  while (kind && (await stage.jobsOf(kind)) > 0) await setTimeout(20);
  const made = requests * customers;
  return { per_second: made / ((performance.now() - from) / 1000), postgres_ms: costs()[1] / made };
}

function newNumber(): string {
  return `+${96_872_000_000 + newest++}`;
}

function post({ key }: BenchTenant, path: string, body: object): LoadRequest {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return { method: 'POST', path, headers, body: JSON.stringify(body) };
}
