import type { Socket } from 'node:net';
import { buildConnector } from 'undici';

// `HTTP/1.1 100`
const statusLineBytes = 12;

/**
 * Makes a connection take a `100 Continue` that nobody asked for, any number of times (RFC 9110, section 15.2). undici ends the
 * connection for it, and knows every other 1xx as informational. So the status of such a head becomes 103, which means nothing to the
 * request. No byte of a body is touched: only heads before the final answer of a request are read, and a connection carries one
 * request at a time.
 */
export function acceptContinue<Connection extends Socket>(socket: Connection): Connection {
  const { read, write } = socket;
  let isAwaiting = true;
  let isInHead = false;
  // The last bytes of a head, which may end in the next chunk.
  let tail = '';
  // The beginning of a status line whose rest is still to come.
  let held: Buffer | undefined;

  socket.write = function writeRequest(this: Connection, ...args: Parameters<Socket['write']>) {
    isAwaiting = true;
    return write.apply(this, args);
  } as Socket['write'];

  socket.read = function readAnswer(this: Connection, size?: number): Buffer | null {
    const fresh = read.call(this, size) as Buffer | null;
    if (fresh === null || !isAwaiting || !Buffer.isBuffer(fresh)) return fresh;
    const chunk = held ? Buffer.concat([held, fresh]) : fresh;
    held = undefined;
    let at = 0;
    while (at < chunk.length) {
      if (!isInHead) {
        if (chunk.length - at < statusLineBytes) {
          held = chunk.subarray(at);
          return at === 0 ? null : chunk.subarray(0, at);
        }
        const status = /^HTTP\/1\.[01] (1\d\d)/.exec(head(chunk, at, statusLineBytes))?.[1];
        if (status === undefined || status === '101') {
          isAwaiting = false;
          return chunk;
        }
        if (status === '100') chunk.write('103', at + statusLineBytes - 3, 'latin1');
        isInHead = true;
        tail = '';
      }
      const rest = tail + chunk.toString('latin1', at);
      const end = rest.indexOf('\r\n\r\n');
      if (end < 0) {
        tail = rest.slice(-3);
        return chunk;
      }
      at += end + 4 - tail.length;
      isInHead = false;
    }
    return chunk;
  } as Socket['read'];

  return socket;
}

function head(chunk: Buffer, at: number, bytes: number): string {
  return chunk.toString('latin1', at, Math.min(chunk.length, at + bytes));
}

/** A connector of undici, with the same tolerance. */
export function buildTolerantConnector(options: buildConnector.BuildOptions = {}): buildConnector.connector {
  const connect = buildConnector(options);
  return (target, callback) => {
    connect(target, (...[error, socket]) => {
      if (socket) callback(null, acceptContinue(socket));
      else callback(error ?? new Error('no connection'), null);
    });
  };
}
