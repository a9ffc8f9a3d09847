import type { LiveEvent, LiveRow } from '@majlis/console-api';
import type { Connection } from './connection.ts';
import { createFrameReader, type EventFrame } from './event-frames.ts';

/** An event, or a sign of life, with the id of the one before it. A tab whose last id differs has missed events. */
export interface Told {
  previous: string | undefined;
  id: string;
  /** The rows that were told before it. Together with it, they are missed or not. */
  rows?: readonly LiveRow[];
  event?: LiveEvent;
}

export interface Listener {
  /** The id of the last event that this tab has. */
  lastId(): string | undefined;
  tell(told: Told): void;
  connect(connection: Connection): void;
  /** The service ended the stream for a reason of the session, or says that there is no session. */
  end(): void;
}

// The service gives a sign of life every 15 s. A connection that is silent for longer is broken, though nobody said so.
const silentMs = 40_000;
const waitMs = { first: 1_000, most: 30_000 };

export interface Following {
  stop(): void;
  /** Connects at once where it waits to connect again. */
  retry(): void;
}

/** Follows the live stream until it is stopped. After a cut it connects again and resumes behind the last event. */
export function followStream(listener: Listener): Following {
  const stop = new AbortController();
  let attempt = new AbortController();
  let retryMs = waitMs.first;
  let failures = 0;
  let wake = () => {};
  let rows: LiveRow[] = [];

  async function run(): Promise<void> {
    listener.connect('connecting');
    while (!stop.signal.aborted) {
      attempt = new AbortController();
      const connection = await connect().catch((): Connection => 'offline');
      if (stop.signal.aborted) return;
      listener.connect(connection);
      failures += 1;
      await waitToConnect();
    }
  }

  /** Reads one stream to its end. Rejects where it was cut. */
  async function connect(): Promise<Connection> {
    const previous = listener.lastId();
    const silence = createSilenceTimer(() => attempt.abort());
    const signal = AbortSignal.any([stop.signal, attempt.signal]);
    try {
      const headers = previous === undefined ? {} : { 'last-event-id': previous };
      const response = await fetch('/console/v1/stream', { headers, signal, cache: 'no-store' });
      if (response.status === 401) {
        stop.abort();
        listener.end();
      }
      if (!response.ok || !response.body) throw new Error(`the stream answered ${response.status}`);
      await readAll(response.body, previous, silence.restart);
      return 'connecting';
    } finally {
      silence.stop();
    }
  }

  async function readAll(body: ReadableStream<Uint8Array>, after: string | undefined, onLife: () => void) {
    const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
    const framesOf = createFrameReader();
    let previous = after;
    rows = [];
    while (true) {
      const { done, value } = await reader.read();
      if (done) return;
      onLife();
      for (const frame of framesOf(value)) previous = take(frame, previous);
    }
  }

  function take({ id, data, retry_ms }: EventFrame, previous: string | undefined): string | undefined {
    if (retry_ms !== undefined) retryMs = retry_ms;
    const event = data === undefined ? undefined : (JSON.parse(data) as LiveEvent);
    if (event?.kind === 'ended' && event.reason !== 'restart') listener.end();
    if (event?.kind === 'row') rows.push(event);
    if (id === undefined) return previous;
    if (event?.kind === 'ready') {
      failures = 0;
      listener.connect('live');
    }
    listener.tell({ previous, id, ...(rows.length > 0 && { rows }), ...(event && { event }) });
    rows = [];
    return id;
  }

  /** The waits grow, and no two consoles that were cut together come back together (danger C7). */
  function waitToConnect(): Promise<void> {
    const longest = Math.min(waitMs.most, retryMs * 2 ** (failures - 1));
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, longest * (0.5 + Math.random() / 2));
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  const events = { signal: stop.signal };
  addEventListener('offline', () => attempt.abort(), events);
  addEventListener('online', () => wake(), events);
  void run();
  return {
    stop() {
      stop.abort();
      wake();
    },
    retry: () => wake(),
  };
}

function createSilenceTimer(onSilence: () => void) {
  let timer = setTimeout(onSilence, silentMs);
  return {
    restart() {
      clearTimeout(timer);
      timer = setTimeout(onSilence, silentMs);
    },
    stop: () => clearTimeout(timer),
  };
}
