import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { cleanUp } from '../cleanup.ts';
import { onceWithin } from '../once-within.ts';

/** A network that can fail: between the service and its database, or a browser and the service. */
export interface FaultyProxy {
  port: number;
  /** Resets every connection; new connections work. */
  reset(): void;
  /** Resets every connection and each new one. */
  refuse(): void;
  /** The open connections on which the client has sent this text. */
  carrying(text: string): number;
  /** Drops all bytes of these connections silently, and keeps them open. */
  silence(text: string): void;
  /** Drops all bytes silently. The present connections never work again. */
  hang(): void;
  /** Passes requests and drops all answers of the present connections. */
  halfOpen(): void;
  /** New connections work again. */
  mend(): void;
  /** Delays the next bytes to the database that contain this text until `work` is done. */
  holdBack(text: string, work: () => Promise<unknown>): void;
}

/** A TCP proxy to a Unix socket, or to a port of this machine. It counts connections that carry one of the `watched` texts. */
export async function startFaultyProxy(target: string | number, watched: readonly string[] = []): Promise<FaultyProxy> {
  const clients = new Set<Socket>();
  const open = new Set<Socket>();
  const databases = new Set<Socket>();
  const carried = new Map<string, Map<Socket, Socket>>(watched.map((text) => [text, new Map()]));
  let hanging = false;
  let refusing = false;
  let held: { text: string; work: () => Promise<unknown> } | undefined;
  const gate = () => {
    const carries = seek();
    return new Transform({
      async transform(bytes: Buffer, _encoding, done) {
        const work = carries(bytes, held?.text) ? held!.work : undefined;
        if (work) held = undefined;
        await work?.();
        done(null, bytes);
      },
    });
  };
  const server = createServer((client) => {
    keep(client);
    clients.add(client);
    client.once('close', () => clients.delete(client));
    if (refusing) client.resetAndDestroy();
    if (hanging || refusing) return;
    const database = typeof target === 'number' ? connect(target, '127.0.0.1') : connect(target);
    keep(database);
    databases.add(database);
    database.once('close', () => databases.delete(database));
    for (const [text, carriers] of carried) {
      const carries = seek();
      client.on('data', (bytes: Buffer) => carries(bytes, text) && carriers.set(client, database));
      client.once('close', () => carriers.delete(client));
    }
    client.pipe(gate()).pipe(database).pipe(client);
    client.once('close', () => database.destroy());
    database.once('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await onceWithin(server, 'listening');

  function keep(end: Socket): void {
    open.add(end);
    end.on('error', () => {});
    end.once('close', () => open.delete(end));
  }
  cleanUp('a proxy', () => {
    for (const end of open) end.destroy();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    reset() {
      for (const client of clients) client.resetAndDestroy();
    },
    refuse() {
      refusing = true;
      for (const client of clients) client.resetAndDestroy();
    },
    silence(text) {
      for (const ends of carried.get(text) ?? []) for (const end of ends) end.unpipe().pause();
    },
    carrying: (text) => carried.get(text)?.size ?? 0,
    hang() {
      hanging = true;
      for (const end of open) end.unpipe().pause();
    },
    halfOpen() {
      hanging = true;
      for (const database of databases) database.unpipe().pause();
    },
    mend() {
      hanging = false;
      refusing = false;
    },
    holdBack(text, work) {
      held = { text, work };
    },
  };
}

/** Tells which piece of a flow completes a text. The text may be spread over pieces, so the end of the flow is kept. */
function seek(): (bytes: Buffer, text: string | undefined) => boolean {
  let end = Buffer.alloc(0);
  return (bytes, text) => {
    const before = text === undefined ? end.length : Math.min(end.length, Buffer.byteLength(text) - 1);
    const known = Buffer.concat([end.subarray(end.length - before), bytes]);
    end = Buffer.from(known.subarray(Math.max(0, known.length - longestText)));
    return text !== undefined && known.includes(text);
  };
}

const longestText = 1_000;
