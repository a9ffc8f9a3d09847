import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { cleanUp } from '@majlis/testing/cleanup';
import { onceWithin } from '@majlis/testing/once-within';
import { Dispatcher, Pool } from 'undici';
import { portOf } from '../../test/recorded/platform-server.ts';
import { exchange } from './exchange.ts';

const request = { origin: 'http://127.0.0.1', path: '/', method: 'POST' } as const;
const limits = { timeout_ms: 1000, max_answer_bytes: 10 };

test('lets no dispatcher write the request a second time', async () => {
  const dispatcher = new ScriptedDispatcher((handler) => {
    handler.onRequestStart?.(controller, {});
    assert.throws(() => handler.onRequestStart?.(controller, {}));
    handler.onResponseError?.(controller, new Error('private words'));
  });
  assert.deepEqual(await exchange(dispatcher, request, limits), { type: 'no_answer', reason: 'Error' });
});

test('counts a dispatcher that throws as nothing written', async () => {
  const dispatcher = new ScriptedDispatcher(() => {
    throw new TypeError('private words');
  });
  assert.deepEqual(await exchange(dispatcher, request, limits), { type: 'not_written', reason: 'TypeError' });
});

test('takes no informational answer for the answer', async () => {
  const dispatcher = new ScriptedDispatcher((handler) => {
    handler.onRequestStart?.(controller, {});
    handler.onResponseStart?.(controller, 103, {});
    handler.onResponseError?.(controller, new Error('gone'));
  });
  assert.equal((await exchange(dispatcher, request, limits)).type, 'no_answer');
});

test('writes nothing of a request whose deadline passes while it waits for a connection', async () => {
  const asked: (string | undefined)[] = [];
  let answerFirst: (() => void) | undefined;
  const server = createServer((request, response) => {
    asked.push(request.url);
    if (request.url === '/first') answerFirst = () => response.end();
    else response.end();
  }).listen(0, '127.0.0.1');
  await onceWithin(server, 'listening');
  cleanUp('a server', () => server.close());
  const pool = new Pool(`http://127.0.0.1:${portOf(server)}`, { connections: 1 });
  cleanUp('the pool', () => pool.close());
  const send = (path: string, timeout_ms: number) =>
    exchange(pool, { path, method: 'POST' }, { timeout_ms, max_answer_bytes: 10 });

  const arrival = onceWithin(server, 'request');
  const first = send('/first', 30_000);
  await arrival;
  assert.equal((await send('/second', 300)).type, 'not_written');
  answerFirst?.();
  assert.equal((await first).type, 'answered');
  assert.equal((await send('/third', 30_000)).type, 'answered');
  assert.deepEqual(asked, ['/first', '/third']);
});

const controller: Dispatcher.DispatchController = {
  aborted: false,
  paused: false,
  reason: null,
  abort() {},
  pause() {},
  resume() {},
};

class ScriptedDispatcher extends Dispatcher {
  #script: (handler: Dispatcher.DispatchHandler) => void;

  constructor(script: (handler: Dispatcher.DispatchHandler) => void) {
    super();
    this.#script = script;
  }

  override dispatch(_options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    this.#script(handler);
    return true;
  }
}
