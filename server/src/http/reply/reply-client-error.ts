import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

/** Answers a request that is not valid HTTP. The code is HTTP's reason phrase in snake_case (open-points.md). */
export function replyClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = statuses[error.code ?? ''] ?? 400;
  const title = STATUS_CODES[status]!;
  const body = JSON.stringify({ code: title.toLowerCase().replaceAll(' ', '_'), title, status });
  const head = [
    `HTTP/1.1 ${status} ${title}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  socket.end([...head, '', body].join('\r\n'), () => socket.destroy());
}

const statuses: Record<string, number> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 };
