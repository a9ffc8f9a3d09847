import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cleanUp } from '@majlis/testing/cleanup';
import { startHttpServer, startTcpServer } from '@majlis/testing/test-servers';
import { Client, type Dispatcher } from 'undici';
import { getGuarded } from '../src/outbound/get-guarded.ts';
import { OriginPools } from '../src/outbound/origin-pools.ts';

const page = 'https://page.example';
const plain = 'http://page.example';
const blocked = { type: 'blocked', reason: 'an address that may not be called' };
const limits = { timeout_ms: 20_000, max_answer_bytes: 1_024 };

/** Connections as they are, save those to the page: no address of this machine would pass for a public one. */
class PoolsWithPage extends OriginPools {
  #page: Client;

  constructor(port: number) {
    const lookup = async () => [{ address: '127.0.0.1', family: 4 }];
    super({ lookup, max_sockets: 8, max_age_ms: 30_000 });
    this.#page = new Client(`http://127.0.0.1:${port}`);
  }

  override use<T>(origin: string, allow_private: boolean, call: (dispatcher: Dispatcher) => Promise<T>): Promise<T> {
    return origin === page || origin === plain ? call(this.#page) : super.use(origin, allow_private, call);
  }

  override async close(): Promise<void> {
    await Promise.all([super.close(), this.#page.close()]);
  }
}

/** What comes of reading a public page that redirects with this status to there. */
async function follow(status: number, location: string) {
  const { port } = await startHttpServer((_, response) => response.writeHead(status, { location }).end());
  const pools = new PoolsWithPage(port);
  cleanUp('the pools', () => pools.close());
  return getGuarded(pools, { url: `${page}/prices`, allow_private: false }, limits);
}

describe('a page on the public internet that redirects to a private address', () => {
  it('leads nowhere: that is refused like the address itself, and not called', async () => {
    const trap = await startTcpServer((socket) => socket.end());
    for (const location of [
      `https://127.0.0.1:${trap.port}/`,
      `http://127.0.0.1:${trap.port}/`,
      `//127.0.0.1:${trap.port}/`,
      `https://2130706433:${trap.port}/`,
      `https://[::ffff:127.0.0.1]:${trap.port}/`,
      `https://localhost:${trap.port}/`,
      `https://public-by-name.example:${trap.port}/`,
      'https://169.254.169.254/latest/meta-data/',
      'http://169.254.169.254/latest/meta-data/',
      'https://169.254.1.1/',
      'https://10.0.0.1/',
    ])
      for (const status of [301, 302, 303, 307, 308])
        assert.deepEqual(await follow(status, location), blocked, `${status} ${location}`);
    assert.equal(trap.connections, 0);
  });

  it('stays with https, also on the public internet: anybody on the way could answer in its place', async () => {
    let asked = 0;
    const { port } = await startHttpServer((_, response) => {
      asked += 1;
      if (asked === 1) response.writeHead(302, { location: `${plain}/new` });
      response.end('Sofas cost 1.');
    });
    const pools = new PoolsWithPage(port);
    cleanUp('the pools', () => pools.close());
    assert.deepEqual(await getGuarded(pools, { url: `${page}/prices`, allow_private: false }, limits), blocked);
    assert.equal(asked, 1);
  });

  it('is followed five times and no more', async () => {
    let asked = 0;
    const { port } = await startHttpServer((_, response) => {
      asked += 1;
      response.writeHead(302, { location: `/${asked}` }).end();
    });
    const pools = new PoolsWithPage(port);
    cleanUp('the pools', () => pools.close());
    const answer = await getGuarded(pools, { url: `${page}/prices`, allow_private: false }, limits);
    assert.deepEqual([answer, asked], [{ type: 'unusable', reason: 'too many redirects' }, 6]);
  });

  it('is followed on the public internet, so that it is the address that refuses', async () => {
    let asked = 0;
    const { port } = await startHttpServer(({ url }, response) => {
      asked += 1;
      if (url === '/prices') response.writeHead(302, { location: '/new' }).end();
      else response.end('Sofas cost 200.');
    });
    const pools = new PoolsWithPage(port);
    cleanUp('the pools', () => pools.close());
    const answer = await getGuarded(pools, { url: `${page}/prices`, allow_private: false }, limits);
    assert.deepEqual([answer.type === 'answered' && answer.body.toString(), asked], ['Sofas cost 200.', 2]);
  });
});

describe('connections to a private address', () => {
  it('that one caller may use are used by no other', async () => {
    const { port } = await startHttpServer((_, response) => response.end('Private.'));
    const lookup = async () => [{ address: '127.0.0.1', family: 4 }];
    const pools = new OriginPools({ lookup, max_sockets: 8, max_age_ms: 30_000 });
    cleanUp('the pools', () => pools.close());
    const get = (allow_private: boolean) =>
      pools.use(`http://internal.example:${port}`, allow_private, (dispatcher) =>
        dispatcher.request({ path: '/', method: 'GET' }).then(({ body }) => body.text()),
      );
    assert.equal(await get(true), 'Private.');
    await assert.rejects(get(false));
  });
});
