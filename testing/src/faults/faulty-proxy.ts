import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { after } from 'node:test';

/** A network between the service and its database that can fail. */
export interface FaultyProxy {
  port: number;
  /** Resets every connection; new connections work. */
  reset(): void;
  /** Drops all bytes silently. The present connections never work again. */
  hang(): void;
  /** Passes requests and drops all answers of the present connections. */
  halfOpen(): void;
  /** New connections work again. */
  mend(): void;
  /** Delays the next bytes to the database that contain this text until `work` is done. */
  holdBack(text: string, work: () => Promise<unknown>): void;
}

/** A TCP proxy to a Unix socket. */
export async function startFaultyProxy(socket: string): Promise<FaultyProxy> {
  const clients = new Set<Socket>();
  const open = new Set<Socket>();
  const databases = new Set<Socket>();
  let hanging = false;
  let held: { text: string; work: () => Promise<unknown> } | undefined;
  const gate = () =>
    new Transform({
      async transform(bytes: Buffer, _encoding, done) {
        const work = held && bytes.includes(held.text) ? held.work : undefined;
        if (work) held = undefined;
        await work?.();
        done(null, bytes);
      },
    });
  const server = createServer((client) => {
    keep(client);
    clients.add(client);
    client.once('close', () => clients.delete(client));
    if (hanging) return;
    const database = connect(socket);
    keep(database);
    databases.add(database);
    database.once('close', () => databases.delete(database));
    client.pipe(gate()).pipe(database).pipe(client);
    client.once('close', () => database.destroy());
    database.once('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  function keep(end: Socket): void {
    open.add(end);
    end.on('error', () => {});
    end.once('close', () => open.delete(end));
  }
  after(() => {
    for (const end of open) end.destroy();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    reset() {
      for (const client of clients) client.resetAndDestroy();
    },
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
    },
    holdBack(text, work) {
      held = { text, work };
    },
  };
}
