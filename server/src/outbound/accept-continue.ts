import type { Socket } from 'node:net';
import { buildConnector } from 'undici';

// `HTTP/1.1 100`
const statusLineBytes = 12;
// A head that is longer is left to undici, which refuses it.
const mostHeadBytes = 16_384;
const earlyHints = Buffer.from('HTTP/1.1 103 Early Hints\r\n\r\n');

/**
 * Makes a connection take a `100 Continue` that nobody asked for, any number of times (RFC 9110, section 15.2). undici ends the
 * connection for it, and knows every other 1xx as informational. So the head of each 1xx becomes that of a plain 103, whatever its
 * version, fields and line ends. No byte of a body is touched: only heads before the final answer of a request are read, and a
 * connection carries one request at a time.
 */
export function acceptContinue<Connection extends Socket>(socket: Connection): Connection {
  const { read, write } = socket;
  let isAwaiting = true;
  // The beginning of a head whose rest is still to come.
  let held = Buffer.alloc(0);

  socket.write = function writeRequest(this: Connection, ...args: Parameters<Socket['write']>) {
    isAwaiting = true;
    return write.apply(this, args);
  } as Socket['write'];

  socket.read = function readAnswer(this: Connection, size?: number): Buffer | null {
    const fresh = read.call(this, size) as Buffer | null;
    if (fresh === null || !isAwaiting || !Buffer.isBuffer(fresh)) return fresh;
    const parts: Buffer[] = [];
    let rest = Buffer.concat([held, fresh]);
    for (let head = readHead(rest); head !== 'final'; head = readHead(rest)) {
      if (head === 'unfinished') {
        held = rest;
        return parts.length > 0 ? Buffer.concat(parts) : null;
      }
      parts.push(earlyHints);
      rest = rest.subarray(head.bytes);
    }
    isAwaiting = false;
    held = Buffer.alloc(0);
    return Buffer.concat([...parts, rest]);
  } as Socket['read'];

  return socket;
}

/** The length of the informational head at the start, `final` for another answer, or `unfinished`. */
function readHead(rest: Buffer): { bytes: number } | 'final' | 'unfinished' {
  const text = rest.toString('latin1', 0, mostHeadBytes);
  const start = text.search(/[^\r\n]/);
  if (start < 0 || text.length - start < statusLineBytes) return text.length < mostHeadBytes ? 'unfinished' : 'final';
  if (!/^HTTP\/1\.[01] 1(?!01)\d\d/.test(text.slice(start, start + statusLineBytes))) return 'final';
  const end = /\r?\n\r?\n/.exec(text.slice(start));
  if (end) return { bytes: start + end.index + end[0].length };
  return text.length < mostHeadBytes ? 'unfinished' : 'final';
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
