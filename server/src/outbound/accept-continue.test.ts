import assert from 'node:assert/strict';
import { createServer, type Server, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { cleanUp } from '@majlis/testing/cleanup';
import { Pool } from 'undici';
import { createPlatformClient } from '../platform/client.ts';
import { buildTolerantConnector } from './accept-continue.ts';
import { exchange } from './exchange.ts';
import { tolerantFetch } from './tolerant-fetch.ts';

const go = 'HTTP/1.1 100 Continue\r\n\r\n';
const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';
const processing = 'HTTP/1.1 102 Processing\r\n\r\n';
const text = 'HTTP/1.1 100 Continue\r\n\r\n is what a body may say';
const answer = `HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`;

/** A server that answers every request with these pieces, each in a packet of its own. */
async function startServer(pieces: readonly string[]): Promise<string> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true).on('error', () => {});
    socket.on('data', async () => {
      for (const piece of pieces) {
        socket.write(piece);
        if (pieces.length > 1) await setTimeout(5);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUp('a server of 1xx answers', () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const { port } = server.address() as { port: number };
  return `http://127.0.0.1:${port}`;
}

const forms: [string, string[]][] = [
  ['one', [go + answer]],
  ['several', [go + hints + go + processing + answer]],
  ['one before the answer, in packets', [go, answer]],
  ['one with fields', [`HTTP/1.1 100 Continue\r\ndate: x\r\n\r\n${answer}`]],
  ['one that closes the connection', [`HTTP/1.1 100 Continue\r\nconnection: close\r\n\r\n${answer}`]],
  ['one of HTTP 1.0', ['HTTP/1.0 100 Continue\r\n\r\n', answer]],
  ['ones with bare line feeds', [`HTTP/1.1 100 Continue\n\nHTTP/1.1 100 Continue\nserver: x\n\n${answer}`]],
  ['one without a reason, and an empty line', [`HTTP/1.1 100\r\n\r\n\r\n${answer}`]],
  ['one letter by letter', [...(hints + go)].concat(answer)],
  ['none', [answer]],
];

describe('an answer after informational ones that nobody asked for arrives', () => {
  for (const [name, pieces] of forms) {
    it(`after ${name}, on one connection twice`, async () => {
      const pool = new Pool(await startServer(pieces), { connections: 1, connect: buildTolerantConnector() });
      cleanUp('a pool', () => pool.destroy());
      for (let n = 0; n < 2; n++) {
        const request = { path: '/', method: 'POST' as const, body: '{}' };
        const outcome = await exchange(pool, request, { timeout_ms: 20_000, max_answer_bytes: 1_000 });
        assert.ok(outcome.type === 'answered', JSON.stringify(outcome));
        assert.deepEqual([outcome.status, outcome.body.toString()], [200, text]);
      }
    });
  }

  it('for libraries that fetch', async () => {
    const response = await tolerantFetch(await startServer([go + answer]), { method: 'POST', body: '{}' });
    assert.deepEqual([response.status, await response.text()], [200, text]);
  });

  it('at the platform', async () => {
    const body = '{"messages":[{"id":"wamid.1"}]}';
    const pieces = [`${go}HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`];
    const client = createPlatformClient({ base_url: await startServer(pieces), timeout_ms: 20_000 });
    cleanUp('a client', () => client.close());
    const message = { kind: 'text' as const, body: 'Hi', recipient: '+96891234567', callback_data: 'msg_1' };
    const outcome = await client.sendMessage({ phone_number_id: '1', access_token: 'x' }, message);
    assert.equal(outcome.type, 'accepted', JSON.stringify(outcome));
  });
});
