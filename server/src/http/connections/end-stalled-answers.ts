import type { Server } from 'node:http';

/**
 * Closes a connection whose client has read nothing of an answer for `stall_ms`: the rest of the answer occupies memory as
 * long as the connection lives (hazard H119).
 */
export function endStalledAnswers(server: Server, stall_ms: number): void {
  // The event comes after a time without any bytes. Node starts the time again while a client reads slowly.
  server.setTimeout(stall_ms, (socket) => {
    // Between requests Node sets the longer time of idle connections, which closes them.
    const isIdle = socket.timeout !== stall_ms;
    if (isIdle || socket.writableLength > 0) socket.destroy();
  });
}
