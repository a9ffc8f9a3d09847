import type { Connection } from './connection.ts';
import { type Following, followStream, type Listener, type Told } from './follow-stream.ts';

type Message =
  | { type: 'told'; told: Told }
  | { type: 'connection'; connection: Connection }
  | { type: 'end' }
  /** A new tab asks where the stream stands. */
  | { type: 'hello' }
  | { type: 'retry' };

/**
 * Follows the live stream once for all tabs of the browser: the tab that holds the lock follows it and tells the others. When
 * that tab closes, another one gets the lock and resumes behind the last event that it knows.
 */
export function shareStream(name: string, listener: Listener): Following {
  const stop = new AbortController();
  const channel = new BroadcastChannel(name);
  const post = (message: Message) => channel.postMessage(message);
  let connection: Connection = 'connecting';
  let own: Following | undefined;

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.type === 'hello') {
      if (own) post({ type: 'connection', connection });
    } else if (data.type === 'retry') {
      own?.retry();
    } else if (!own) {
      if (data.type === 'told') listener.tell(data.told);
      else if (data.type === 'connection') listener.connect(data.connection);
      else listener.end();
    }
  };
  post({ type: 'hello' });

  const lead = () =>
    new Promise<void>((resolve) => {
      own = followStream({
        ...listener,
        tell(told) {
          post({ type: 'told', told });
          listener.tell(told);
        },
        connect(next) {
          connection = next;
          post({ type: 'connection', connection });
          listener.connect(next);
        },
        end() {
          post({ type: 'end' });
          listener.end();
        },
      });
      stop.signal.addEventListener('abort', () => {
        own?.stop();
        resolve();
      });
    });
  navigator.locks.request(name, { signal: stop.signal }, lead).catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
  return {
    stop() {
      stop.abort();
      channel.close();
    },
    retry: () => (own ? own.retry() : post({ type: 'retry' })),
  };
}

/** Without locks, as on plain http, each visible tab follows the stream itself. */
export function followWhileVisible(listener: Listener): Following {
  const stop = new AbortController();
  let own: Following | undefined;
  function change() {
    own?.stop();
    own = document.visibilityState === 'visible' ? followStream(listener) : undefined;
  }
  document.addEventListener('visibilitychange', change, { signal: stop.signal });
  change();
  return {
    stop() {
      stop.abort();
      own?.stop();
    },
    retry: () => own?.retry(),
  };
}
