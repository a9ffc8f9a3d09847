import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { within } from '@majlis/testing/cleanup';
import { freePort } from '@majlis/testing/free-port';
import { openRequest } from '@majlis/testing/open-request';
import { operatorToken } from '@majlis/testing/operator';
import { rawRequest } from '@majlis/testing/raw-request';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService();

/** The first line and headers of an answer, and its body. */
async function ask(lines: string[], from?: string, url = majlis.url): Promise<string> {
  const { ended } = await openRequest(url, [...lines, 'Connection: close'], { ...(from && { from }) });
  return within(ended, 30_000, `the answer to ${lines[0]}`);
}

it('a request with two Host headers is refused: 400', async () => {
  for (const path of ['/v1/me', '/healthz', '/nowhere', '/platform/chatapp/webhook']) {
    assert.match(await ask([`GET ${path} HTTP/1.1`, 'Host: other.example']), /^HTTP\/1.1 400 .*"bad_request"/s, path);
  }
});

describe('an unknown path', () => {
  const paths = ['/', '/nowhere', '/healthz', '/assets/nowhere', '/platform/nowhere', '/console/v1/nowhere'];
  const send = (path: string, body: string, type = 'application/json') =>
    rawRequest(majlis.url, `POST ${path}`, [`Content-Type: ${type}`, `Content-Length: ${body.length}`], body);

  it('answers before the body has arrived: 404', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'QUERY']) {
      for (const path of paths) {
        const head = [`${method} ${path} HTTP/1.1`, 'Content-Type: application/json', 'Content-Length: 4000000'];
        const { socket, ended } = await openRequest(majlis.url, head);
        const answer = await within(
          new Promise<string>((done) => socket.once('data', (text) => done(`${text}`))),
          30_000,
          path,
        );
        assert.match(answer, /^HTTP\/1.1 404 .*"not_found"/s, `${method} ${path}`);
        socket.destroy();
        await ended;
      }
    }
  });

  it('answers alike whatever the method and the body: 404', async () => {
    for (const path of paths) {
      assert.match(await ask([`QUERY ${path} HTTP/1.1`]), /^HTTP\/1.1 404 /, path);
      for (const [body, type] of [['{'], [''], ['{}', 'x'], ['{"__proto__":1}'], ['x', 'text/plain']]) {
        assert.equal((await send(path, body!, type)).status, 404, `${path} ${type} ${body}`);
      }
    }
  });
});

describe('the operator’s door', () => {
  const clock = (token: string) => ['GET /operator/clock HTTP/1.1', `Authorization: Bearer ${token}`];

  it('refuses an address for a minute after 60 wrong tokens, and no other address', async () => {
    const statuses = new Set<string>();
    for (let n = 0; n < 61; n++) statuses.add((await ask(clock(`wrong-${n}`), '127.0.0.8')).split(' ')[1]!);
    assert.deepEqual([...statuses], ['401', '429']);
    assert.match(await ask(clock(operatorToken), '127.0.0.8'), /^HTTP\/1.1 429 .*retry-after: [1-9]/is);
    assert.match(await ask(clock(operatorToken), '127.0.0.9'), /^HTTP\/1.1 200 /);
  });

  it('counts no request with the right token', async () => {
    for (let n = 0; n < 61; n++) assert.match(await ask(clock(operatorToken)), /^HTTP\/1.1 200 /);
  });
});

describe('/metrics', () => {
  const read = (url: string, token?: string) =>
    fetch(`${url}/metrics`, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });

  it('is open by default, and needs METRICS_TOKEN where it is set', async () => {
    assert.equal((await read(majlis.url)).status, 200);
    const token = 'metrics-token-of-the-tests';
    const closed = await majlis.another({ METRICS_TOKEN: token });
    assert.deepEqual([(await read(closed.url)).status, (await read(closed.url, `${token}x`)).status], [401, 401]);
    assert.match(await (await read(closed.url, token)).text(), /majlis_queue_depth/);
    await closed.stop();
  });

  it('has a port of its own where METRICS_PORT is set', async () => {
    const port = await freePort();
    const apart = await majlis.another({ METRICS_PORT: String(port) });
    assert.equal((await read(apart.url)).status, 404);
    assert.match(await (await read(`http://127.0.0.1:${port}`)).text(), /majlis_queue_depth/);
    assert.equal((await fetch(`http://127.0.0.1:${port}/v1/me`)).status, 404);
    const broken = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' };
    assert.equal((await fetch(`http://127.0.0.1:${port}/metrics`, broken)).status, 404);
    await apart.stop();
    await assert.rejects(read(`http://127.0.0.1:${port}`));
  });
});
