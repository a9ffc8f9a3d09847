import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { after } from 'node:test';

/** A network between the service and its database, with the faults of networks. */
export interface FaultyProxy {
  port: number;
  /** Every connection is reset; new ones are passed on. */
  reset(): void;
  /** Nothing passes any more, and nobody is told: connections that are open now never come back to life. */
  hang(): void;
  /** What is asked still gets through, and no answer ever does; so for connections that are open now. */
  halfOpen(): void;
  /** New connections are passed on again. */
  mend(): void;
  /** The next bytes to the database that hold this text are passed on when `work` is done. */
  holdBack(text: string, work: () => Promise<unknown>): void;
}

/** Passes TCP connections on to a socket. */
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
