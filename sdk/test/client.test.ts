import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { errors, type Operation, operations } from '@majlis/contract';
import { methodNames } from '@majlis/contract/method-names';
import { samples } from '@majlis/testing/media';
import { newDigits } from '@majlis/testing/messages';
import { receiveTexts } from '@majlis/testing/notifications';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';
import {
  ApiError,
  ForbiddenError,
  Majlis,
  MajlisError,
  NotFoundError,
  UnauthorizedError,
  UnprocessableContentError,
  version,
} from '../src/index.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const client = new Majlis({ apiKey: workspace.key, baseUrl: majlis.url });

type AnyMethod = (...given: unknown[]) => Promise<unknown>;

describe('the methods', () => {
  const calls: { url: string; init: RequestInit }[] = [];
  const recording = new Majlis({
    apiKey: 'mj_test_x',
    baseUrl: 'https://majlis.example/base/v1/',
    fetch: async (url, init) => {
      calls.push({ url: String(url), init: init! });
      return new Response('{"data":[],"has_more":false}', { headers: { 'content-type': 'application/json' } });
    },
  });

  for (const operation of Object.values(operations) as Operation[]) {
    const { name } = methodNames[operation.id as keyof typeof methodNames];
    it(`${name} makes the request of ${operation.id}`, async () => {
      const [resource, method] = name.split('.') as [string, string];
      const { params = {}, query, body } = operation.example;
      const input = operation.body_content_type ? new Blob(['x']) : (body ?? query);
      const takesInput = operation.body ?? operation.query;
      const given = [...Object.values(params), ...(takesInput ? [input] : []), { headers: { 'x-own': '1' } }];
      const methods = (recording as unknown as Record<string, Record<string, AnyMethod>>)[resource]!;
      await methods[method]!(...given);
      const { url, init } = calls.at(-1)!;
      const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, member: string) => params[member]!);
      const { origin, pathname, searchParams } = new URL(url);
      assert.equal(origin + pathname, `https://majlis.example/base${path}`);
      assert.equal(init.method, operation.method);
      const sent = Object.entries(query ?? {}).map(([member, value]) => [member, String(value)]);
      assert.deepEqual([...searchParams], sent);
      const headers = init.headers as Headers;
      assert.equal(headers.get('x-own'), '1');
      assert.equal(headers.get('authorization'), 'Bearer mj_test_x');
      if (operation.idempotent) assert.ok(headers.get('idempotency-key'));
      if (operation.body_content_type) assert.ok(init.body instanceof FormData);
      else if (operation.body) assert.deepEqual(JSON.parse(init.body as string), body ?? {});
      else assert.equal(init.body, undefined);
    });
  }

  it('escape ids, and refuse an empty one and those that lead to another path', async () => {
    await recording.messages.get('a/../b?c');
    assert.match(calls.at(-1)!.url, /\/v1\/messages\/a%2F\.\.%2Fb%3Fc$/);
    for (const id of ['', '.', '..']) assert.throws(() => recording.contacts.delete(id), TypeError);
  });

  it('give the answer with its headers where asked', async () => {
    const { data, response, requestId } = await client.workspace.getKey().withResponse();
    assert.equal(data.workspace_id, workspace.id);
    assert.equal(response.headers.get('ratelimit-limit'), '600');
    assert.equal(requestId, response.headers.get('x-request-id'));
  });

  it('are promises in every way', async () => {
    const { name } = await client.workspace.get();
    assert.equal(await client.workspace.get().then((found) => found.name), name);
    assert.equal(await client.messages.get('msg_x').catch((error) => (error as ApiError).code), 'not_found');
    let ended = false;
    await client.workspace.get().finally(() => {
      ended = true;
    });
    assert.ok(ended);
    const both = await Promise.all([client.workspace.get(), client.stages.list()]);
    assert.deepEqual(both[1], []);
  });

  it('reach what has no method', async () => {
    const found = await client.request<{ name: string }>({ method: 'GET', path: '/v1/workspace' });
    assert.equal(found.name, (await client.workspace.get()).name);
  });
});

describe('pages', () => {
  it('are one list for a loop, each entry once', async () => {
    const own = await majlis.workspace();
    const { key } = own;
    await receiveTexts(majlis, own, 23);
    const reading = new Majlis({ apiKey: key, baseUrl: majlis.url });
    const ids = [];
    for await (const conversation of reading.conversations.list({ limit: 5 })) ids.push(conversation.id);
    assert.equal(new Set(ids).size, ids.length);
    assert.equal(ids.length, (await Array.fromAsync(reading.contacts.list())).length);
    let page = await reading.conversations.list({ limit: 5 });
    const paged = page.data.map(({ id }) => id);
    while (page.hasNextPage()) {
      page = await page.getNextPage();
      paged.push(...page.data.map(({ id }) => id));
    }
    assert.deepEqual(paged, ids);
    assert.throws(() => page.getNextPage(), RangeError);
    let pages = 0;
    for await (const { data } of reading.conversations.list({ limit: 5 }).pages()) pages += data.length > 0 ? 1 : 0;
    assert.equal(pages, Math.ceil(ids.length / 5));
  });

  it('read no more than the loop asks for', async () => {
    let calls = 0;
    const counting = new Majlis({
      apiKey: workspace.key,
      baseUrl: majlis.url,
      fetch: (...call) => {
        calls += 1;
        return fetch(...call);
      },
    });
    for (let i = 0; i < 4; i++) await receiveMessage(majlis, workspace, newDigits());
    for await (const _ of counting.conversations.list({ limit: 1 })) if (calls === 2) break;
    assert.equal(calls, 2);
  });
});

describe('errors', () => {
  it('have the class of their status, the code and the id of the request', async () => {
    const error = await client.messages.get('msg_01m7w2y7m0fffakj68d6xa221f').catch((e) => e);
    assert.ok(error instanceof NotFoundError && error instanceof ApiError && error instanceof MajlisError);
    assert.deepEqual([error.code, error.status, error.name], ['not_found', 404, 'NotFoundError']);
    assert.match(error.requestId!, /^[\w-]{36}$/);
    assert.ok(majlis.log.some((line) => line.includes(error.requestId!)));
    await assert.rejects(
      new Majlis({ apiKey: 'mj_test_wrong', baseUrl: majlis.url }).workspace.get(),
      UnauthorizedError,
    );
    const file = { api_keys: [{ name: 'reader', environment: 'test', scopes: [] }] };
    const reader = new Majlis({ apiKey: (await majlis.workspace(file)).key, baseUrl: majlis.url });
    await assert.rejects(reader.contacts.get('ct_x'), ForbiddenError);
  });

  it('name the members at fault', async () => {
    const error = await client.messages.send({ kind: 'fax' as 'text' }).catch((e) => e);
    assert.ok(error instanceof UnprocessableContentError);
    assert.deepEqual(
      error.errors.map(({ pointer }) => pointer),
      ['/kind'],
    );
  });

  it('hold nothing of what was sent', async () => {
    const secret = 'a text that only the customer may read';
    const sent = client.conversations.sendMessage('cv_x', { kind: 'text', body: secret });
    const failed = new Majlis({ apiKey: workspace.key, baseUrl: 'http://127.0.0.1:9', maxRetries: 0 });
    const errors = [
      await sent.catch((e) => e),
      await failed.contacts.upsert({ name: secret, identities: [] }).catch((e) => e),
    ];
    for (const error of errors) {
      assert.ok(error instanceof MajlisError);
      const shown = `${inspect(error, { depth: 20, showHidden: true })} ${JSON.stringify(error)} ${error.stack}`;
      assert.doesNotMatch(shown, new RegExp(`${secret}|${workspace.key}`));
    }
    assert.doesNotMatch(inspect(client, { depth: 20, showHidden: true }), new RegExp(workspace.key));
  });

  it('have a class for every status of the catalogue', async () => {
    for (const [code, { status }] of Object.entries(errors)) {
      const fetch = async () => new Response(JSON.stringify({ code, title: 'x' }), { status });
      const failing = new Majlis({ apiKey: 'k', baseUrl: 'http://x', maxRetries: 0, fetch });
      const error = (await failing.workspace.get().catch((e) => e)) as ApiError;
      assert.deepEqual([error.code, error.status], [code, status]);
      assert.notEqual(error.constructor, ApiError, code);
    }
  });

  it('tell a wrong address by its answer', async () => {
    const answers = [new Response('<html>'), new Response(null, { status: 302, headers: { location: '/x' } })];
    for (const answer of answers) {
      const lost = new Majlis({ apiKey: 'k', baseUrl: 'http://x', maxRetries: 0, fetch: async () => answer });
      await assert.rejects(lost.workspace.get(), MajlisError);
    }
  });
});

describe('files', () => {
  it('are uploaded and downloaded in their bytes', async () => {
    const { png, pdf } = samples;
    const uploads = [
      await client.media.upload(new File([png], 'صورة.png', { type: 'image/png' })),
      await client.media.upload({ content: pdf, filename: 'invoice.pdf' }),
    ];
    assert.deepEqual(
      uploads.map(({ filename }) => filename),
      ['صورة.png', 'invoice.pdf'],
    );
    for (const [index, bytes] of [png, pdf].entries()) {
      const response = await client.media.download(uploads[index]!.id);
      assert.deepEqual(Buffer.from(await response.arrayBuffer()), Buffer.from(bytes));
      assert.equal(response.headers.get('content-type'), uploads[index]!.mime);
    }
    await assert.rejects(client.media.download('med_x'), NotFoundError);
  });
});

describe('the options', () => {
  it('refuse a page, unless it is said to be safe', () => {
    const page = globalThis as { window?: unknown; document?: unknown };
    Object.assign(page, { window: {}, document: {} });
    try {
      assert.throws(() => new Majlis({ apiKey: 'k', baseUrl: 'http://x' }), /open to whoever reads the page/);
      new Majlis({ apiKey: 'k', baseUrl: 'http://x', dangerouslyAllowBrowser: true });
    } finally {
      delete page.window;
      delete page.document;
    }
  });

  it('come from the environment where they are not given', async () => {
    Object.assign(process.env, { MAJLIS_KEY: workspace.key, MAJLIS_URL: `${majlis.url}/` });
    assert.equal((await new Majlis().workspace.getKey()).workspace_id, workspace.id);
    delete process.env.MAJLIS_KEY;
    delete process.env.MAJLIS_URL;
    assert.throws(() => new Majlis(), /MAJLIS_KEY/);
    assert.throws(() => new Majlis({ apiKey: 'k' }), /MAJLIS_URL/);
    assert.throws(() => new Majlis({ apiKey: 'k', baseUrl: 'majlis.example' }), /http/);
    const wrong = 'key with spaces\n';
    assert.throws(
      () => new Majlis({ apiKey: wrong, baseUrl: 'http://x' }),
      (error: Error) => !error.message.includes(wrong),
    );
  });

  it('tell the service the version of the package', () => {
    assert.equal(version, JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version);
  });
});
