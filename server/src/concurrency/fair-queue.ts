/** Runs work in turn. Its key shares the places fairly with others; an aborted signal drops work that has not begun. */
export interface FairQueue {
  <Result>(turn: Turn, work: () => Promise<Result>): Promise<Result>;
  /** How many calls wait for their turn. */
  waiting(): number;
}

export interface Turn {
  key: string;
  /** Aborted when nobody waits for the result any more. */
  gone?: AbortSignal | undefined;
}

interface FairQueueLimits {
  /** Runs at once, of all keys. */
  at_once: number;
  /** Calls that wait at once, of one key and of all. The next one is refused. */
  waiting_per_key: number;
  waiting_in_all: number;
  /** How long a call waits for its turn. */
  patience_ms: number;
  /** The error of a call that is refused, whose patience ends, or for which nobody waits. */
  refusal: () => Error;
}

interface Waiting {
  begin(): void;
  refuse(): void;
}

/**
 * A bounded queue before costly work that strangers may ask for. The keys take turns, so a key with many calls delays another
 * one by one call at most.
 */
export function fairQueue(limits: FairQueueLimits): FairQueue {
  // The first key is the next in turn.
  const queues = new Map<string, Set<Waiting>>();
  let running = 0;
  let waiting = 0;

  function remove(key: string, call: Waiting): void {
    const queue = queues.get(key)!;
    queue.delete(call);
    waiting--;
    if (queue.size === 0) queues.delete(key);
  }

  function beginNext(): void {
    running--;
    const [next] = queues;
    if (!next) return;
    const [key, queue] = next;
    const [call] = queue;
    queues.delete(key);
    queues.set(key, queue);
    call!.begin();
  }

  function waitForTurn({ key, gone }: Turn): Promise<void> {
    const queue = queues.get(key) ?? new Set();
    if (gone?.aborted || waiting >= limits.waiting_in_all || queue.size >= limits.waiting_per_key) {
      return Promise.reject(limits.refusal());
    }
    queues.set(key, queue);
    waiting++;
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        gone?.removeEventListener('abort', call.refuse);
        remove(key, call);
      };
      const call: Waiting = {
        begin() {
          leave();
          running++;
          resolve();
        },
        refuse() {
          leave();
          reject(limits.refusal());
        },
      };
      const timer = setTimeout(call.refuse, limits.patience_ms);
      gone?.addEventListener('abort', call.refuse);
      queue.add(call);
    });
  }

  async function runInTurn<Result>(turn: Turn, work: () => Promise<Result>): Promise<Result> {
    if (running < limits.at_once) running++;
    else await waitForTurn(turn);
    try {
      return await work();
    } finally {
      beginNext();
    }
  }
  return Object.assign(runInTurn, { waiting: () => waiting });
}
