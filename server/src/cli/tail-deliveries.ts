import { type Majlis, MajlisError, type WebhookDelivery, type WebhookEndpoint } from '@majlis/sdk';
import type { Call, CommonOptions } from './act.ts';
import { Failure, kindOf } from './failure.ts';
import { openClient } from './open-client.ts';
import { printEntry, tell } from './print-result.ts';
import { printable } from './printable.ts';

export interface TailOptions extends CommonOptions {
  endpoint?: string;
}

const interval_ms = 2_000;
/** So that many endpoints leave the limit of requests to others. */
const perEndpoint_ms = 500;
const shownFirst = 10;

/** `majlis logs tail`: the delivery attempts of the webhook endpoints as they are made. */
export async function tailDeliveries({ options }: Call<TailOptions>): Promise<void> {
  const { client } = await openClient(options);
  const seen = new Set<string>();
  const earlier = await readNew(client, options.endpoint, seen, 1);
  for (const one of earlier.slice(-shownFirst)) print(one, options);
  tell('majlis: Waiting for delivery attempts. Ctrl-C ends it.');
  let isAway = false;
  for (let endpoints = 1; ; ) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(interval_ms, endpoints * perEndpoint_ms)));
    try {
      const fresh = await readNew(client, options.endpoint, seen, Infinity);
      endpoints = new Set(fresh.map(({ endpoint }) => endpoint.id)).size || endpoints;
      if (isAway) tell('majlis: The service is back.');
      isAway = false;
      for (const one of fresh) print(one, options);
    } catch (error) {
      const kind = error instanceof MajlisError ? kindOf(error) : undefined;
      if (kind !== 'unavailable' && kind !== 'limited') throw error;
      if (!isAway) tell('majlis: The service is away. The log goes on when it is back.');
      isAway = true;
    }
  }
}

interface Attempt {
  endpoint: WebhookEndpoint;
  delivery: WebhookDelivery;
}

/** The attempts that were not seen before, the oldest first. */
async function readNew(
  client: Majlis,
  only: string | undefined,
  seen: Set<string>,
  mostPages: number,
): Promise<Attempt[]> {
  const { data } = await client.webhookEndpoints.list();
  const endpoints = data.filter(({ id }) => only === undefined || id === only);
  if (only !== undefined && endpoints.length === 0)
    throw new Failure('not_found', `There is no webhook endpoint ${only}.`);
  const fresh: Attempt[][] = [];
  for (const endpoint of endpoints) fresh.push(await readNewOf(client, endpoint, seen, mostPages));
  return fresh.flat();
}

async function readNewOf(
  client: Majlis,
  endpoint: WebhookEndpoint,
  seen: Set<string>,
  mostPages: number,
): Promise<Attempt[]> {
  const fresh: Attempt[] = [];
  let pages = 0;
  for await (const { data } of client.webhookEndpoints.listDeliveries(endpoint.id).pages()) {
    const unseen = data.filter(({ id }) => !seen.has(id));
    for (const delivery of unseen) {
      seen.add(delivery.id);
      fresh.push({ endpoint, delivery });
    }
    pages += 1;
    // The newest stand first: behind one that was seen, all were.
    if (unseen.length < data.length || pages >= mostPages) break;
  }
  return fresh.reverse();
}

function print({ endpoint, delivery }: Attempt, { json, quiet }: CommonOptions): void {
  if (json && !quiet) printEntry({ endpoint_id: endpoint.id, url: endpoint.url, ...delivery });
  else process.stdout.write(`${quiet ? delivery.id : describe({ endpoint, delivery })}\n`);
}

function describe({ endpoint, delivery }: Attempt): string {
  const { event_type, event_id, attempt, response_status, duration_ms } = delivery;
  if (attempt === 0) return `${printable(event_type)}  ${event_id}  ${printable(endpoint.url)}  not attempted`;
  const result = response_status === undefined ? 'no answer' : String(response_status);
  const time = duration_ms === undefined ? '' : `  ${duration_ms} ms`;
  return `${printable(event_type)}  ${event_id}  ${printable(endpoint.url)}  attempt ${attempt}  ${result}${time}`;
}
