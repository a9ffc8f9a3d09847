import type { EventEnvelope, EventFeedPage, Majlis } from '@majlis/sdk';
import { AbortedError, ApiError, MajlisError } from '@majlis/sdk';
import type { Call, CommonOptions } from '../act.ts';
import { Failure, kindOf } from '../failure.ts';
import { openClient } from '../open-client.ts';
import { printEntry, tell } from '../print-result.ts';
import { printable } from '../printable.ts';
import { type Delivery, deliverEvent, deliverWaiting, wait } from './deliver-event.ts';
import { forwardEvent, type Outcome, readReceiverUrl } from './forward-event.ts';
import { type ListenerState, lockState, readSecret, readState, stateFile, writeState } from './listener-state.ts';

export interface ListenOptions extends CommonOptions {
  forwardTo?: string;
  events?: string[];
  eventData?: string;
  from?: string;
  printSecret?: boolean;
  resend?: string;
}

/** Which events are read, and how much they carry. */
type Wanted = Record<'types' | 'event_data', string | undefined>;

/** With so many refused events, the listener waits for the receiver before it reads on. */
const mostWaiting = 1_000;
const longestWaitSeconds = 25;
const longestPause_ms = 5_000;
const pageSize = 100;

/** `majlis listen --forward-to URL`: the events of the key, each until the receiver confirms it, also over restarts. */
export async function listen({ options }: Call<ListenOptions>): Promise<void> {
  if (options.from !== undefined && options.from !== 'latest' && options.from !== 'oldest') {
    throw new Failure('usage', '--from must be latest or oldest.');
  }
  const url = options.forwardTo === undefined ? undefined : readReceiverUrl(options.forwardTo);
  const { client, profile } = await openClient(options);
  const { workspace_id, workspace_name } = await client.workspace.getKey();
  const file = stateFile(profile ?? `key-${workspace_id}`);
  if (options.resend !== undefined) {
    if (url === undefined) throw new Failure('usage', '--resend needs --forward-to.');
    const secret = await readSecret(file, workspace_id);
    const event = await client.events.get(options.resend, { event_data: options.eventData });
    const outcome = await forwardEvent({ url, secret }, event);
    createReport(options)(event, outcome, 1);
    if (outcome.type !== 'confirmed')
      throw new Failure('unavailable', `The receiver has not taken it: ${outcome.result}.`);
    return;
  }
  const unlock = await lockState(file);
  try {
    const state = await readState(file, workspace_id);
    const types = options.events?.flatMap((text) => text.split(',')).join();
    await begin(client, state, types, options.from);
    const save = () => writeState(file, state);
    await save();
    if (options.printSecret) return void process.stdout.write(`${state.secret}\n`);
    if (url === undefined) tell(`Listening to ${printable(workspace_name)}. Each event is one line.`);
    else {
      tell(`Listening to ${printable(workspace_name)}, forwarding to ${url}`);
      tell(`The secret of the signatures is ${state.secret}`);
    }
    const { length } = state.waiting;
    if (length > 0)
      tell(
        `${length === 1 ? '1 event' : `${length} events`} of before ${length === 1 ? 'waits' : 'wait'} for the receiver.`,
      );
    const signal = endOnSignal();
    const { secret } = state;
    await follow(
      client,
      { types, event_data: options.eventData },
      {
        ...{ state, save, signal },
        post: (event) => (url === undefined ? printEvent(event) : forwardEvent({ url, secret }, event)),
        report: url === undefined ? () => {} : createReport(options),
      },
    );
    tell('Stopped. The next majlis listen goes on behind the last confirmed event.');
  } finally {
    await unlock();
  }
}

/** The first time, the listener begins at the present. `latest` and `oldest` give up the stored position. */
async function begin(client: Majlis, state: ListenerState, types: string | undefined, from: string | undefined) {
  if (from === undefined && state.position !== undefined) return;
  state.confirmed = [];
  state.waiting = [];
  // The position is stored before anything is said, so that all that happens from now on is behind it.
  state.position =
    from === 'oldest' ? from : (await client.events.list({ after: 'latest', types, limit: 1 })).next_position;
}

async function follow(client: Majlis, wanted: Wanted, delivery: Delivery): Promise<void> {
  const { state, save, signal } = delivery;
  const read = createReader(client, wanted, signal);
  while (!signal.aborted) {
    await deliverWaiting(delivery);
    const due_ms = state.waiting.reduce((least, { next_at }) => Math.min(least, next_at), Infinity) - Date.now();
    if (state.waiting.length >= mostWaiting) {
      await wait(Math.max(0, due_ms), signal);
      continue;
    }
    const page = await read(state.position, Math.min(longestWaitSeconds, Math.max(0, Math.ceil(due_ms / 1000))));
    if (!page) continue;
    const known = new Set([...state.confirmed, ...state.waiting.map(({ event }) => event.id)]);
    for (const event of page.data) {
      if (!known.has(event.id)) await deliverEvent(delivery, event);
      if (signal.aborted) return;
    }
    state.position = page.next_position;
    state.confirmed = [];
    await save();
  }
}

/** Reads pages, and waits out an absence of the service. Undefined: try again, or the signal ended. */
function createReader(client: Majlis, wanted: Wanted, signal: AbortSignal) {
  let failures = 0;
  return async (after: string | undefined, wait_seconds: number): Promise<EventFeedPage | undefined> => {
    try {
      const query = { ...wanted, wait_seconds, limit: pageSize, ...(after !== 'oldest' && { after }) };
      const page = await client.events.list(query, { signal, maxRetries: 0 });
      if (failures > 0) tell('majlis: The service is back.');
      failures = 0;
      return page;
    } catch (error) {
      if (error instanceof AbortedError) return undefined;
      const kind = error instanceof MajlisError ? kindOf(error) : undefined;
      if (kind !== 'unavailable' && kind !== 'limited') throw explainPosition(error);
      if (failures === 0) tell('majlis: The service is away. Listening goes on when it is back.');
      const asked_ms = error instanceof ApiError ? (error.retryAfter_seconds ?? 0) * 1000 : 0;
      const pause_ms = Math.min(longestPause_ms, 250 * 2 ** failures) * (0.5 + Math.random() / 2);
      failures = Math.min(failures + 1, 10);
      await wait(Math.max(asked_ms, pause_ms), signal);
      return undefined;
    }
  };
}

function explainPosition(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.status !== 410) return error;
  return new Failure(
    'not_found',
    'The events behind the stored position are no longer all kept. Begin with --from oldest, or with --from latest.',
  );
}

/** The first signal lets the event on its way be confirmed. The second one ends the process. */
function endOnSignal(): AbortSignal {
  const end = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(name, () => {
      end.abort();
      process.once(name, () => process.exit(130));
    });
  }
  return end.signal;
}

/** Without a receiver, an event is confirmed once it is written. */
async function printEvent(event: EventEnvelope): Promise<Outcome> {
  printEntry(event);
  return { type: 'confirmed', result: 'printed', duration_ms: 0 };
}

function createReport({ json, quiet }: ListenOptions): Delivery['report'] {
  let isAway = false;
  return (event, { type, result, duration_ms }, attempt) => {
    // A receiver that is away fails several times a second.
    if (type === 'away' && isAway) return;
    isAway = type === 'away';
    if (json) return printEntry({ event_id: event.id, type: event.type, outcome: type, result, duration_ms, attempt });
    if (quiet) return void (type === 'confirmed' && process.stdout.write(`${event.id}\n`));
    const time = new Date().toTimeString().slice(0, 8);
    const end = { confirmed: '', refused: '  it is tried again', away: '  all events wait for the receiver' }[type];
    process.stdout.write(
      `${time}  ${printable(event.type)}  ${event.id}  ${printable(result)}  ${duration_ms} ms${end}\n`,
    );
  };
}
