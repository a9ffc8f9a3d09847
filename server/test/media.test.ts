import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { limits } from '@majlis/contract';
import { assertRefused } from '@majlis/testing/assert-refused';
import { eventually } from '@majlis/testing/eventually';
import { downloadFile, samples, sized, uploadFile } from '@majlis/testing/media';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off', UPLOAD_TIMEOUT_SECONDS: '3' } });
let workspace: TestWorkspace;
before(async () => {
  workspace = await majlis.workspace();
});

const stored = () => majlis.sql<{ id: string }>('select id from media');
const incoming = () => readdir(path.join(majlis.data_dir, 'media', 'incoming')).catch(() => []);
const openFiles = async () => (await readdir('/proc/self/fd')).length;

/** A form as these lines, sent as they are. */
function post(body: string | Buffer, boundary = 'x', headers: Record<string, string> = {}) {
  return fetch(`${majlis.url}/v1/media`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${workspace.key}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...headers,
    },
    body: new Uint8Array(Buffer.from(body)),
  }).then(async (response) => ({ status: response.status, headers: response.headers, text: await response.text() }));
}

const part = (content: string, disposition = 'form-data; name="file"; filename="a.txt"') =>
  `--x\r\nContent-Disposition: ${disposition}\r\n\r\n${content}\r\n`;

describe('POST /v1/media', () => {
  it('stores a file and tells its type, name and length', async () => {
    const { status, body, headers } = await uploadFile(majlis, workspace, samples.png, { filename: 'photo.png' });
    assert.equal(status, 201);
    assert.match(body.id, /^med_/);
    assert.deepEqual(body, { id: body.id, mime: 'image/png', filename: 'photo.png', size_bytes: samples.png.length });
    assert.ok(headers.has('ratelimit-limit'));
    const file = await downloadFile(majlis, workspace, body.id);
    assert.equal(file.status, 200);
    assert.deepEqual(file.bytes, samples.png);
  });

  it('believes the bytes, not the name and not the declared type', async () => {
    const cases: [Buffer, string][] = [
      [samples.html, 'text/html'],
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml'],
      [Buffer.from('<?xml version="1.0"?><svg/>'), 'image/svg+xml'],
      [samples.pdf, 'application/pdf'],
      [Buffer.from('plain, نص'), 'text/plain'],
      [Buffer.from([0, 1, 2, 0xfe]), 'application/octet-stream'],
      [Buffer.alloc(0), 'application/octet-stream'],
    ];
    for (const [bytes, mime] of cases) {
      const { body } = await uploadFile(majlis, workspace, bytes, { filename: 'photo.png', type: 'image/png' });
      assert.equal(body.mime, mime);
    }
    const { status, body } = await uploadFile(majlis, workspace, samples.zip, { filename: 'a.constructor' });
    assert.deepEqual([status, body.mime], [201, 'application/zip']);
  });

  for (const [name, head] of [
    ['image', samples.png],
    ['video', samples.mp4],
    ['audio', samples.mp3],
    ['document', samples.pdf],
  ] as const) {
    it(`takes as many bytes as the limit of ${name} and no more, with a length and without`, async () => {
      const limit = limits.media_bytes[name];
      for (const chunked of [false, true]) {
        const whole = sized(head, limit);
        const fits = await send(whole, chunked);
        assert.equal(fits.status, 201, fits.text);
        assert.equal(JSON.parse(fits.text).size_bytes, limit);
        const over = await send(Buffer.concat([whole, Buffer.of(1)]), chunked);
        assert.equal(assertRefused(over, 413).code, 'content_too_large');
        assert.ok(over.headers['ratelimit-limit']);
      }
      assert.deepEqual(await incoming(), []);
    });
  }

  /** By node:http, which can leave the length out. */
  function send(bytes: Buffer, chunked: boolean) {
    const head = Buffer.from(part('', 'form-data; name="file"; filename="big"').slice(0, -2));
    const body = Buffer.concat([head, bytes, Buffer.from('\r\n--x--\r\n')]);
    type Answer = { status: number; headers: Record<string, unknown>; text: string };
    return new Promise<Answer>((resolve, reject) => {
      const call = request(`${majlis.url}/v1/media`, { method: 'POST' }, async (response) => {
        const text = Buffer.concat(await Array.fromAsync(response)).toString();
        resolve({ status: response.statusCode!, headers: response.headers, text });
        call.destroy();
      });
      call.on('error', reject);
      call.setHeader('authorization', `Bearer ${workspace.key}`);
      call.setHeader('content-type', 'multipart/form-data; boundary=x');
      if (!chunked) call.setHeader('content-length', body.length);
      if (chunked) for (let at = 0; at < body.length; at += 1_048_576) call.write(body.subarray(at, at + 1_048_576));
      call.end(chunked ? undefined : body);
    });
  }

  it('refuses a form that is broken or not what it should be, and lives on', async () => {
    const bodies: Record<string, string> = {
      'no closing boundary': part('hello'),
      'nothing closed at all': '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhello',
      'a header without colon': '--x\r\nContent-Disposition form-data\r\n\r\nhello\r\n--x--\r\n',
      'a thousand parts': `${part('x', 'form-data; name="y"').repeat(1000)}--x--\r\n`,
      'a thousand files': `${part('x').repeat(1000)}--x--\r\n`,
      'an empty filename': `${part('hello', 'form-data; name="file"; filename=""')}--x--\r\n`,
      'a field in place of a file': `${part('hello', 'form-data; name="file"')}--x--\r\n`,
      'another name': `${part('hello', 'form-data; name="files"; filename="a"')}--x--\r\n`,
      'two files': `${part('hello')}${part('hello')}--x--\r\n`,
      'no part': '--x--\r\n',
      'an empty body': '',
      'another boundary': '--y\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhello\r\n--y--\r\n',
      'a name of the prototype': `${part('x', 'form-data; name="__proto__"')}--x--\r\n`,
    };
    const before = await stored();
    for (const [what, body] of Object.entries(bodies)) {
      const reply = await post(body);
      assert.equal(assertRefused(reply, 422, what).code, 'unprocessable_content');
      assert.ok(reply.headers.has('ratelimit-limit'), what);
    }
    for (const type of ['application/json', 'text/plain', 'multipart/mixed; boundary=x', 'multipart/form-data', '']) {
      assertRefused(await post(part('hello'), 'x', { 'content-type': type }), 422, type);
    }
    assert.deepEqual(await stored(), before);
    assert.deepEqual(await incoming(), []);
  });

  it('refuses a form that stops arriving or drips, within its time', async () => {
    const head = `POST /v1/media HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${workspace.key}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000\r\n\r\n`;
    const beginnings = [
      head,
      `${head}--x\r\nContent-Disp`,
      `${head}${part('hello')}`,
      head + part('hello').slice(0, -2),
    ];
    await Promise.all(
      beginnings.map(async (text) => {
        const socket = connect(Number(new URL(majlis.url).port), '127.0.0.1');
        socket.setEncoding('utf8').on('error', () => {});
        socket.write(text);
        let answer = '';
        socket.on('data', (more: string) => {
          answer += more;
        });
        await eventually(
          () => answer,
          (so_far) => so_far.startsWith('HTTP/1.1 422 '),
        );
        socket.destroy();
      }),
    );
    assert.deepEqual(await incoming(), []);
  });

  it('leaves nothing of an upload that was broken off', async () => {
    const before = await stored();
    const opened = await openFiles();
    const body = Buffer.concat([Buffer.from(part('').slice(0, -2)), sized(samples.pdf, 3_000_000)]);
    for (let round = 0; round < 40; round++) {
      await new Promise<void>((resolve) => {
        const call = request(`${majlis.url}/v1/media`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${workspace.key}`,
            'content-type': 'multipart/form-data; boundary=x',
            'content-length': body.length + 100,
          },
        });
        call.on('error', () => resolve());
        call.write(body.subarray(0, Math.floor((body.length * round) / 40)), () => call.destroy());
      });
    }
    await eventually(incoming, (files) => files.length === 0);
    await eventually(openFiles, (now) => now <= opened + 3);
    assert.deepEqual(await stored(), before);
  });
});

describe('GET /v1/media/{media_id}', () => {
  it('serves what could act in a browser as a file, and everything with its own type alone', async () => {
    const cases: [Buffer, string, string][] = [
      [samples.png, 'inline', 'image/png'],
      [samples.mp4, 'inline', 'video/mp4'],
      [samples.html, 'attachment', 'text/html'],
      [Buffer.from('<svg onload="alert(1)"/>'), 'attachment', 'image/svg+xml'],
      [samples.pdf, 'attachment', 'application/pdf'],
      [Buffer.from('alert(1)'), 'attachment', 'text/plain'],
    ];
    for (const [bytes, way, mime] of cases) {
      const { body } = await uploadFile(majlis, workspace, bytes, { filename: 'a.png', type: 'image/png' });
      const { status, headers } = await downloadFile(majlis, workspace, body.id);
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), mime);
      assert.equal(headers.get('content-length'), String(bytes.length));
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(headers.get('content-security-policy'), "sandbox; default-src 'none'");
      assert.ok(headers.get('content-disposition')!.startsWith(`${way};`), mime);
      assert.ok(headers.has('ratelimit-limit'));
    }
  });

  it('makes neither a path nor a header of a filename', async () => {
    const names = [
      '../../../etc/cron.d/x',
      'a\\..\\b.txt',
      'x"; filename="y.exe',
      'فاتورة.pdf',
      'a\u202egpj.exe',
      'n'.repeat(600),
    ];
    for (const filename of names) {
      const { status, body, text } = await uploadFile(majlis, workspace, samples.pdf, { filename });
      assert.equal(status, 201, text);
      assert.doesNotMatch(body.filename, /[/\\\u202e]/);
      const { headers, bytes } = await downloadFile(majlis, workspace, body.id);
      assert.deepEqual(bytes, samples.pdf);
      const named = /filename\*=UTF-8''([\w.%!#$&+^`|~-]+)$/.exec(headers.get('content-disposition')!);
      assert.ok(body.filename.startsWith(decodeURIComponent(named![1]!).slice(0, 100)), filename);
    }
    const raw = await post(
      `${part('hello', 'form-data; name="file"; filename="a%0d%0aSet-Cookie: x=1.txt"')}--x--\r\n`,
    );
    const { headers } = await downloadFile(majlis, workspace, JSON.parse(raw.text).id);
    assert.equal(headers.get('set-cookie'), null);
    const files = await readdir(path.join(majlis.data_dir, 'media'), { recursive: true });
    for (const file of files) assert.match(file, /^(incoming|[0-9a-f-]{36}(\/[0-9a-f-]{36})?)$/);
  });

  it('answers 404 for the file of another workspace, and for one whose bytes are gone', async () => {
    const other = await majlis.workspace();
    const { body } = await uploadFile(majlis, workspace, samples.png);
    assert.equal((await downloadFile(majlis, other, body.id)).status, 404);
    const { rm } = await import('node:fs/promises');
    await rm(path.join(majlis.data_dir, 'media'), { recursive: true });
    assert.equal((await downloadFile(majlis, workspace, body.id)).status, 404);
  });

  it('answers HEAD with the headers alone, and closes a file whose reader goes away', async () => {
    const { body } = await uploadFile(majlis, workspace, sized(samples.pdf, 20_000_000));
    const opened = await openFiles();
    const head = await workspace.api.request('HEAD', `/media/${body.id}`);
    assert.deepEqual([head.status, head.text, head.headers.get('content-length')], [200, '', '20000000']);
    for (let round = 0; round < 20; round++) {
      const abort = new AbortController();
      const headers = { authorization: `Bearer ${workspace.key}` };
      const response = await fetch(`${majlis.url}/v1/media/${body.id}`, { headers, signal: abort.signal });
      await response.body!.getReader().read();
      abort.abort();
    }
    await eventually(openFiles, (now) => now <= opened + 3);
  });
});
