import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createFaultEnvironment, type FaultEnvironment } from '@majlis/testing/faults/fault-environment';
import type { AnyJson } from '@majlis/testing/json';
import { type MailServer, startMailServer } from '@majlis/testing/mail-server';
import { type ModelServer, startModelServer } from '@majlis/testing/model-server';
import { callOperator } from '@majlis/testing/operator';
import { type ClockPlatform, startClockPlatform } from './clock-platform.ts';

/** A service with a frozen clock, its platform, mail and model servers. */
export interface ClockEnvironment extends Pick<FaultEnvironment, 'sql' | 'data_dir'> {
  url: string;
  platform: ClockPlatform;
  mail: MailServer;
  models: ModelServer;
  operator(method: string, place: string, body?: unknown): Promise<AnyJson>;
  nowMs(): number;
  /** Moves the clock to a moment; never back. */
  moveTo(ms: number): Promise<void>;
  /** Waits until no job is due or running. */
  settled(): Promise<void>;
}

/** A host at which browsers have passkeys. */
export const publicOrigin = 'http://localhost';

const start = '2026-11-20T10:00:00Z';

export async function createClockEnvironment(seed: number): Promise<ClockEnvironment> {
  const [platform, mail, models] = await Promise.all([startClockPlatform(), startMailServer(), startModelServer()]);
  const environment = await createFaultEnvironment({ seed, platform: async () => platform.api_url });
  const { database } = (await environment.sql<{ database: string }>('select current_database() as database'))[0]!;
  await environment.sql('create schema still');
  await environment.sql(`create function still.clock_timestamp() returns timestamptz language sql
    as $$ select '${start}'::timestamptz $$`);
  await environment.sql(`alter database ${database} set search_path = still, pg_catalog, public`);
  const majlis = await environment.majlis({
    NODE_OPTIONS: `--import=${fileURLToPath(new URL('./freeze-clock.ts', import.meta.url))}`,
    PUBLIC_URL: publicOrigin,
    WEBHOOK_ALLOW_PRIVATE: '1',
    // The rate of a host is counted by the second, and the frozen second never ends.
    WEBHOOK_HOST_RATE: '100000',
    SMTP_URL: mail.url,
    SMTP_FROM: 'majlis@acme.example',
    AI_BASE_URL: models.url,
    AI_MODEL: 'test',
  });
  await majlis.start();
  const { url } = majlis;
  const operator = (method: string, place: string, body?: unknown) => callOperator(url, method, place, body);
  let now = Date.parse(start);
  return {
    ...{ url, platform, mail, models, operator, sql: environment.sql, data_dir: environment.data_dir },
    nowMs: () => now,
    async moveTo(ms) {
      const moved = await operator('POST', '/clock', { advance_seconds: (ms - now) / 1000 });
      now = ms;
      if (Date.parse(moved.now) !== now) throw new Error(`the clock shows ${moved.now}, not ${new Date(now).toJSON()}`);
    },
    async settled() {
      let left = '';
      for (let polls = 0; polls < mostPolls; polls++) {
        const rows = await environment.sql<{ kind: string }>(leftAt, [new Date(now)]);
        if (rows.length === 0) return;
        left = rows.map(({ kind }) => kind).join();
        await pause(pollMs);
      }
      throw new NotSettled(`${left} are due, and do not come to an end`);
    },
  };
}

/** Thrown when work does not end; the proof cannot continue. */
export class NotSettled extends Error {}

const pollMs = 5;
const mostPolls = 20_000 / pollMs;

// Jobs of a paused group and jobs behind another of their queue key are not due.
const leftAt = `select distinct kind from jobs j where worker_id is not null or run_at <= $1
  and not exists (select from job_groups g where g.kind = j.kind and g.group_id = j.group_id and g.paused_until > $1)
  and not exists (select from jobs o where o.kind = j.kind and o.queue_key = j.queue_key and o.id < j.id)`;
