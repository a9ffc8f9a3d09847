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
  /** Delays the next bytes from a client that contain this text until `work` is done. `cut` resets the connection. */
  holdBack(text: string, work: (cut: () => void) => Promise<unknown>): void;
}

/** A TCP proxy to a Unix socket, or to a port of this machine. It counts connections that carry one of the `watched` texts. */
export async function startFaultyProxy(target: string | number, watched: readonly string[] = []): Promise<FaultyProxy> {
  const clients = new Set<Socket>();
  const open = new Set<Socket>();
  const databases = new Set<Socket>();
  const carried = new Map<string, Map<Socket, Socket>>(watched.map((text) => [text, new Map()]));
  let hanging = false;
  let refusing = false;
  const held = new Map<string, (cut: () => void) => Promise<unknown>>();
  const gate = (client: Socket) => {
    const find = seek();
    return new Transform({
      async transform(bytes: Buffer, _encoding, done) {
        const text = find(bytes, held.keys());
        const work = text === undefined ? undefined : held.get(text);
        if (text !== undefined) held.delete(text);
        await work?.(() => client.resetAndDestroy());
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
      const find = seek();
      client.on('data', (bytes: Buffer) => find(bytes, [text]) !== undefined && carriers.set(client, database));
      client.once('close', () => carriers.delete(client));
    }
    client.pipe(gate(client)).pipe(database).pipe(client);
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
      held.set(text, work);
    },
  };
}

/** Tells which text a piece of a flow completes. It may be spread over pieces, so the end of the flow is kept. */
function seek(): (bytes: Buffer, texts: Iterable<string>) => string | undefined {
  let end = Buffer.alloc(0);
  return (bytes, texts) => {
    const known = Buffer.concat([end, bytes]);
    const before = end.length;
    end = Buffer.from(known.subarray(Math.max(0, known.length - longestText)));
    return [...texts].find((text) => known.includes(text, Math.max(0, before - Buffer.byteLength(text) + 1)));
  };
}

const longestText = 1_000;
