import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** The metrics of the process. Labels come from closed lists: no customer's id becomes a series (hazard H105). */
export interface Metrics {
  registry: Registry;
  requests: Histogram<'operation' | 'status'>;
  jobs: Counter<'kind' | 'outcome'>;
  dispatches: Counter<'outcome'>;
  inbound: Counter<'item'>;
  unapplied: Counter<'field'>;
  webhookAttempts: Counter<'outcome'>;
  queueDepth: Gauge<'kind'>;
  queueAge: Gauge<'kind'>;
  diskFree: Gauge;
  diskReserve: Gauge;
}

/** `waitingPasswords` counts at each read. */
export function createMetrics(waitingPasswords: () => number): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'majlis_passwords_waiting',
    help: 'Passwords of sign-ins that wait to be checked in this process. 100 for long: somebody floods the sign-in.',
    registers,
    collect() {
      this.set(waitingPasswords());
    },
  });
  return {
    registry,
    requests: new Histogram({
      name: 'majlis_http_request_duration_seconds',
      help: 'Time from a request to its answer, by operation of the contract (or door of the platform) and status.',
      labelNames: ['operation', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    jobs: new Counter({
      name: 'majlis_job_runs_total',
      help: 'Runs of background jobs, by kind and outcome.',
      labelNames: ['kind', 'outcome'],
      registers,
    }),
    dispatches: new Counter({
      name: 'majlis_dispatches_total',
      help: 'Calls to the platform that send a message, by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    inbound: new Counter({
      name: 'majlis_inbound_items_total',
      help: 'Items that the platform reported, by what they were.',
      labelNames: ['item'],
      registers,
    }),
    unapplied: new Counter({
      name: 'majlis_platform_unapplied_total',
      help: 'Reports of the platform that the service does not apply, by field; `other` for an unknown field.',
      labelNames: ['field'],
      registers,
    }),
    webhookAttempts: new Counter({
      name: 'majlis_webhook_attempts_total',
      help: 'Attempts to deliver an event to a webhook endpoint, by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    queueDepth: new Gauge({
      name: 'majlis_queue_depth',
      help: 'Jobs that wait or run, by kind.',
      labelNames: ['kind'],
      registers,
    }),
    diskFree: new Gauge({
      name: 'majlis_disk_free_bytes',
      help: 'Room on the disk of DATA_DIR.',
      registers,
    }),
    diskReserve: new Gauge({
      name: 'majlis_disk_reserve_bytes',
      help: 'Room below which no files are taken.',
      registers,
    }),
    queueAge: new Gauge({
      name: 'majlis_queue_age_seconds',
      help: 'How long the oldest due job has been waiting, by kind.',
      labelNames: ['kind'],
      registers,
    }),
  };
}
