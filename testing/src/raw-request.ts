import { connect } from 'node:net';

export interface RawReply {
  status: number;
  /** By lower-case name. */
  headers: Record<string, string>;
  text: string;
}

/**
 * Sends a request line, header lines and bytes unchanged, where `fetch` would correct or refuse them, and reads the
 * first answer. `Host` and `Connection: close` are added.
 */
export function rawRequest(
  url: string,
  line: string,
  headers: readonly string[] = [],
  body: string | Uint8Array = '',
): Promise<RawReply> {
  const { hostname, port, host } = new URL(url);
  const head = [`${line} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...headers, '', ''].join('\r\n');
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.setEncoding('utf8');
    socket.setTimeout(60_000, () => socket.destroy(new Error(`no answer to ${line}`)));
    socket.on('error', reject);
    socket.on('data', (text: string) => {
      answer += text;
      const reply = readReply(answer, line.startsWith('HEAD '));
      if (!reply) return;
      resolve(reply);
      socket.destroy();
    });
    socket.on('end', () => reject(new Error(`the answer to ${line} breaks off: ${answer}`)));
    socket.write(head, 'latin1');
    socket.write(body);
  });
}

/** Undefined while the answer is not complete. */
function readReply(answer: string, isHead: boolean): RawReply | undefined {
  const end = answer.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [status, ...lines] = answer.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const text = answer.slice(end + 4);
  if (!isHead && Buffer.byteLength(text) < Number(headers['content-length'] ?? 0)) return undefined;
  return { status: Number(status!.split(' ')[1]), headers, text };
}
