import type { EventFeedPage, ListEventsQuery } from './api.generated.ts';
import { AbortedError, ApiError, ConnectionError } from './errors.ts';
import type { ApiPromise, RequestOptions } from './options.ts';
import { pause } from './retry.ts';
import type { EventType, MajlisEvent } from './webhooks.ts';

export interface FollowOptions {
  /** Where to go on: `position` of an earlier feed. Absent: the oldest stored event. `latest`: from now on. */
  after?: string | undefined;
  /** Only events of these types. */
  types?: readonly EventType[] | undefined;
  /** `full`: with the details, such as the sender and the file. */
  eventData?: 'basic' | 'full' | undefined;
  /** Ends the loop. */
  signal?: AbortSignal | undefined;
  /** Stops when all stored events are read, and does not wait for more. */
  untilNow?: boolean | undefined;
}

interface Reader {
  readonly events: { list(params: ListEventsQuery, options: RequestOptions): ApiPromise<EventFeedPage> };
}

const waitSeconds = 25;
const longestPause_ms = 15_000;

/**
 * The events of the workspace, in the order of the feed. The loop survives restarts of the service and cuts of the network. An
 * event may come again after a restart of the loop: its `id` tells.
 */
export class EventFeed implements AsyncIterable<MajlisEvent> {
  readonly #client: Reader;
  readonly #options: FollowOptions;
  #position: string | undefined;

  constructor(client: Reader, options: FollowOptions = {}) {
    this.#client = client;
    this.#options = options;
    this.#position = options.after;
  }

  /** Everything before it was handed out, and the loop came back for more. Store it, and give it as `after` later. */
  get position(): string | undefined {
    return this.#position;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<MajlisEvent, void, undefined> {
    const { signal, untilNow } = this.#options;
    for (let failures = 0; !signal?.aborted; ) {
      const page = await this.#read().catch((error: unknown) => {
        // The caller's own end is the end of the loop, and no failure.
        if (!isPassing(error) && !(error instanceof AbortedError)) throw error;
      });
      if (!page) {
        failures += 1;
        await pause(Math.min(longestPause_ms, 500 * 2 ** failures) * (0.5 + Math.random() / 2), signal);
        continue;
      }
      failures = 0;
      for (const event of page.data) yield event as unknown as MajlisEvent;
      this.#position = page.next_position;
      if (untilNow && !page.has_more) return;
    }
  }

  #read(): ApiPromise<EventFeedPage> {
    const { types, signal, untilNow, eventData } = this.#options;
    const wait_seconds = untilNow ? 0 : waitSeconds;
    const query = { after: this.#position, types: types?.join(), wait_seconds, event_data: eventData };
    return this.#client.events.list(query, { signal, maxRetries: 0 });
  }
}

/** Whether the next attempt may succeed without a change by the caller. */
function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  return error instanceof ApiError && (error.status === 429 || error.status >= 500 || error.status === 408);
}
