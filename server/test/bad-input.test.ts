import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { ErrorBody } from '@majlis/contract';
import { Value } from 'typebox/value';
import { createApi } from './support/api.ts';
import { assertRefused } from './support/assert-refused.ts';
import { eventually } from './support/eventually.ts';
import { rawRequest } from './support/raw-request.ts';
import { startMajlis, type Workspace } from './support/start-majlis.ts';

const majlis = await startMajlis({ env: { RATE_LIMITS: 'off', PAGE_SIZE_DEFAULT: '2' } });
const template = { kind: 'template', template: { name: 'order_update', language: 'en', params: ['Muna', 'A-1042'] } };
const send = { to: '+96891234567', ...template };

let workspace: Workspace;
/** Of a conversation whose window is open. */
let conversation_id: string;

before(async () => {
  workspace = await majlis.workspace();
  for (const last of [5, 6, 7]) {
    const { body } = await workspace.api.post('/messages', { ...send, to: `+9689123456${last}` });
    conversation_id = body.conversation_id;
  }
  await majlis.sql(`update conversations set window_expires_at = now() + interval '1 day'`);
  for (let i = 0; i < 3; i++) await reply({ kind: 'text', body: 'Hello' });
});

const reply = (body: unknown) => workspace.api.post(`/conversations/${conversation_id}/messages`, body);

/** All that a write could leave behind. */
function written(): Promise<object[]> {
  const tables = ['contacts', 'contact_identities', 'conversations', 'messages', 'idempotency_keys'];
  const counts = tables.map((table) => `(select count(*) from ${table}) as ${table}`);
  return majlis.sql(`select ${counts.join(', ')}`);
}

describe('a body', () => {
  const member = (value: string) => `{"kind":"text","to":"+96891234567","body":${value}}`;
  const bytes = (...parts: (string | number[])[]) => Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  const bodies: [string, string | Uint8Array, string][] = [
    ['nothing', '', '/kind'],
    ['white space', ' \r\n', ''],
    ['cut off', '{"kind":"text"', ''],
    ['two values', '{} {}', ''],
    ['a trailing comma', '{"kind":"text",}', ''],
    ['single quotes', "{'kind':'text'}", ''],
    ['NaN', '{"kind":NaN}', ''],
    ['a comment', '{} // kind', ''],
    ['null', 'null', ''],
    ['true', 'true', ''],
    ['a number', '7', ''],
    ['a string', '"kind=text"', ''],
    ['an array', `[${JSON.stringify(send)}]`, ''],
    ['a raw NUL', member('"a\0b"'), ''],
    ['an escaped NUL', member('"a\\u0000b"'), '/body'],
    ['a NUL in a name', '{"kind":"text","a\\u0000":1}', ''],
    ['the first half of a pair', member('"\\ud83d"'), '/body'],
    ['the second half of a pair', member('"\\ude00 \\ud83d"'), '/body'],
    ['half of a pair deep inside', '{"kind":"template","template":{"params":["a","\\udfff"]}}', '/template/params/1'],
    ['half of a pair in UTF-8', bytes('{"kind":"', [0xed, 0xa0, 0x80], '"}'), ''],
    ['bytes that are not UTF-8', bytes('{"kind":"', [0xff, 0xfe], '"}'), ''],
    ['an overlong form', bytes('{"kind":"', [0xc0, 0x80], '"}'), ''],
    ['UTF-16', new Uint8Array(Buffer.from(`\ufeff${JSON.stringify(send)}`, 'utf16le')), ''],
    ['1e400', '{"kind":"location","location":{"latitude":1e400}}', '/location/latitude'],
    ['2^53 + 1', '{"kind":"location","location":{"latitude":9007199254740993}}', '/location/latitude'],
    ['__proto__', '{"kind":"text","__proto__":{"to":"+96891234567"}}', '/__proto__'],
    ['constructor.prototype', '{"constructor":{"prototype":{"kind":"text"}}}', '/constructor/prototype'],
    ['a member twice', '{"kind":"text","kind":"template"}', '/kind'],
    ['a member twice in two spellings', '{"kind":"text","\\u006bind":"template"}', '/kind'],
    ['10,000 arrays', '['.repeat(10_000) + ']'.repeat(10_000), ''],
    ['10,000 objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, ''],
    ['10,000 open arrays', member('['.repeat(10_000)), ''],
    ['no kind', '{"to":"+96891234567"}', '/kind'],
    ['a kind of another type', '{"kind":["text"]}', '/kind'],
    ['a kind that nobody knows', '{"kind":"fax"}', '/kind'],
    ['a kind that cannot be sent', '{"kind":"note","body":"Hello"}', '/kind'],
    ['a text that is null', member('null'), '/body'],
    ['a text that is a number', member('7'), '/body'],
    ['a text that is an object', member('{"length":1}'), '/body'],
    ['a template that is an array', '{"kind":"template","template":[]}', '/template'],
    ['params that are an object', '{"kind":"template","template":{"params":{"0":"a"}}}', '/template/params'],
    ['a param that is a number', '{"kind":"template","template":{"params":["a",1]}}', '/template/params/1'],
    ['buttons that are text', '{"kind":"interactive","interactive":{"buttons":["a"]}}', '/interactive/buttons/0'],
    ['a latitude that is text', '{"kind":"location","location":{"latitude":"23"}}', '/location/latitude'],
  ];

  it('that cannot be read or does not fit is refused with its place: 422, and nothing is written', async () => {
    const before = await written();
    for (const path of ['/messages', `/conversations/${conversation_id}/messages`]) {
      for (const [what, body, pointer] of bodies) {
        const answer = await workspace.api.post(path, body, { 'idempotency-key': what });
        const { code, errors: details } = assertRefused(answer, 422, what);
        assert.deepEqual([code, details?.[0]?.pointer], ['unprocessable_content', pointer], what);
      }
    }
    assert.deepEqual(await written(), before);
  });

  it('that names no recipient, channel or message is refused with its place: 422', async () => {
    const foreign = await majlis.workspace();
    const { body: message } = await foreign.api.post('/messages', send);
    const before = await written();
    const unknown = '00000000000000000000000000';
    const tos = [undefined, '', '+', '0', 'Muna', '+1', '+968', '9'.repeat(500_000), '+96891234567x', '＋９６８'];
    const contacts = [`ct_${unknown}`, '', 'none'];
    const wrong: Record<string, object[]> = {
      '/to': tos.map((to) => ({ to })),
      '/channel_id': [foreign.channel_id, `ch_wa_${unknown}`, '', 'x'].map((channel_id) => ({ channel_id })),
      '/contact_id': contacts.map((contact_id) => ({ to: undefined, contact_id })),
      '/reply_to_id': [message.id, `msg_${unknown}`, '', 'x'].map((reply_to_id) => ({ reply_to_id })),
    };
    for (const [pointer, list] of Object.entries(wrong)) {
      for (const members of list) {
        const answer = await workspace.api.post('/messages', { ...send, ...members });
        assert.equal(assertRefused(answer).errors?.[0]?.pointer, pointer, JSON.stringify(members).slice(0, 100));
      }
    }
    assert.deepEqual(await written(), before);
  });

  it('of another media type is refused: 422, and nothing is written', async () => {
    const before = await written();
    const text = JSON.stringify(send);
    const others = ['text/plain', 'text/json', 'application/jsonp', 'application/xml', 'json', 'x', '', '*/*'];
    const form = `--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n${text}\r\n--x--\r\n`;
    const bodies = [
      ...others.map((type) => ({ type, body: text })),
      { type: 'application/x-www-form-urlencoded', body: 'to=%2B96891234567&kind=text' },
      { type: 'multipart/form-data; boundary=x', body: form },
    ];
    for (const { type, body } of bodies) {
      assertRefused(await workspace.api.post('/messages', body, { 'content-type': type }), 422, type);
    }
    assert.deepEqual(await written(), before);
    for (const type of ['application/json', 'Application/JSON; charset=utf-8', 'application/vnd.api+json']) {
      assert.equal((await workspace.api.post('/messages', text, { 'content-type': type })).status, 201, type);
    }
  });

  it('that is too large is refused: 413, by its stated length or as it comes', async () => {
    const before = await written();
    const { key } = workspace;
    const headers = [`Authorization: Bearer ${key}`, 'Content-Type: application/json'];
    const post = (more: string, body?: string) => rawRequest(majlis.url, 'POST /v1/messages', [...headers, more], body);
    assertRefused(await post('Content-Length: 4194305'), 413);
    assertRefused(await post('Content-Length: 999999999999999'), 413);
    assertRefused(await post('Transfer-Encoding: chunked', `400001\r\n${' '.repeat(0x400001)}\r\n`), 413);
    const largest = { ...send, filler: 'x'.repeat(4_194_304 - JSON.stringify({ ...send, filler: '' }).length) };
    assert.equal((await workspace.api.post('/messages', { ...largest, filler: `${largest.filler}x` })).status, 413);
    assert.deepEqual(await written(), before);
    assert.equal((await workspace.api.post('/messages', largest)).status, 201);
  });

  it('has room for the recipients of the largest broadcast', async () => {
    const params = ['محمد بن عبد الله البلوشي', 'A-1042, at Muscat Grand Mall on level 2, beside the north gate'];
    const recipients = Array.from({ length: 10_000 }, (_, n) => ({ to: `+9689${2_000_000 + n}`, params }));
    const { status, text } = await workspace.api.post('/broadcasts', {
      name: 'Everybody',
      template: { name: 'order_update', language: 'en' },
      audience: { recipients },
      send_at: '2099-01-01T00:00:00Z',
    });
    assert.equal(status, 201, text);
  });

  it('with a date-time that is no moment is refused with its place: 422', async () => {
    const broadcast = {
      name: 'Late',
      template: { name: 'order_update', language: 'en' },
      audience: { recipients: [{ to: '+96891234567', params: ['Muna', 'A-1042'] }] },
    };
    for (const moment of ['2027-12-31T23:59:60Z', '2027-06-30T23:59:60+00:00', '9999-12-31T23:59:59-12:00']) {
      const { errors } = assertRefused(await workspace.api.post('/broadcasts', { ...broadcast, send_at: moment }));
      assert.equal(errors?.[0]?.pointer, '/send_at');
      const snoozed = await workspace.api.post(`/conversations/${conversation_id}/snooze`, { until: moment });
      assert.equal(assertRefused(snoozed).errors?.[0]?.pointer, '/until');
    }
  });

  it('of no bytes is none, whatever its type is said to be', async () => {
    const headers = [`Authorization: Bearer ${workspace.key}`, 'Content-Type: application/x-www-form-urlencoded'];
    for (const change of ['close', 'reopen']) {
      const path = `POST /v1/conversations/${conversation_id}/${change}`;
      assert.equal((await rawRequest(majlis.url, path, [...headers, 'Content-Length: 0'])).status, 200, change);
    }
  });

  it('of a GET is not looked at', async () => {
    const headers = [`Authorization: Bearer ${workspace.key}`, 'Content-Type: application/json'];
    for (const body of ['{', '{}', 'x'.repeat(10_000)]) {
      const answer = await rawRequest(majlis.url, 'GET /v1/me', [...headers, `Content-Length: ${body.length}`], body);
      assert.equal(answer.status, 200);
    }
  });

  it('of an operation that takes none is not looked at, whatever its type and size', async () => {
    const path = `/conversations/${conversation_id}/reopen`;
    const bodies = [
      ['application/json', '{'],
      ['application/json', 'null'],
      ['text/plain', 'reopen'],
      ['x', 'reopen'],
      ['multipart/form-data; boundary=x', '--x--\r\n'],
      ['application/json', ' '.repeat(0x400001)],
    ] as const;
    for (const [type, body] of bodies) {
      const { status, text } = await workspace.api.post(path, body, { 'content-type': type });
      assert.equal(status, 200, `${type} ${text}`);
    }
    const headers = [`Authorization: Bearer ${workspace.key}`, 'Transfer-Encoding: chunked'];
    assert.equal((await rawRequest(majlis.url, `POST /v1${path}`, headers, '1\r\n{\r\n0\r\n\r\n')).status, 200);
  });

  it('holds any text that is well formed, and the text comes back as it was', async () => {
    const texts = [
      ...[
        'مرحبا 👋🏽',
        'e\u0301 é',
        '\u202eabc\u202c',
        '\u0001\u001f\u007f\u0085',
        '\u2028\u2029',
        '\ufeff',
        '\ufffe\uffff\ufffd',
      ],
      ...[
        '𝒳𐀀\u{10ffff}',
        "'; drop table messages; --",
        '{{1}} %s $1 \\u0000 \\',
        '\r\n\t ',
        '"',
        '<b>&amp;</b>',
        'x'.repeat(100_000),
      ],
    ];
    for (const text of texts) {
      const { body: sent } = await reply({ kind: 'text', body: text });
      assert.equal(sent.body, text);
      assert.equal((await workspace.api.get(`/messages/${sent.id}`)).body.body, text);
      const params = [text, text];
      const { body: filled } = await reply({ ...template, template: { ...template.template, params } });
      // The platform takes no line breaks and tabs in them (docs/decisions.md).
      const shown = text.replace('\r\n\t ', ' ');
      assert.equal(filled.body, `Hello ${shown}, your order ${shown} has left.`);
    }
  });
});

describe('a query', () => {
  const unusable = [
    ...['limit=0', 'limit=-1', 'limit=-0', 'limit=', 'limit=abc', 'limit=1.5', 'limit=1e9', 'limit=0x10', 'limit=true'],
    ...[
      'limit=null',
      'limit=%205',
      'limit=5%20',
      'limit=+5',
      'limit=Infinity',
      'limit=NaN',
      'limit=1,2',
      'limit=%D9%A5',
    ],
    ...['limit=1&limit=2', 'limit=1&limit=1', 'limit=%00', 'limit', 'limit=1;limit=2'],
    ...['status=', 'status=OPEN', 'status=snoozed', 'status=open&status=closed', 'status=open,closed', 'status=%00'],
    ...['channel_type=', 'channel_type=fax', 'channel_type=chatapp&channel_type=sms'],
    ...[
      'q=%00',
      'q=a%00b',
      'q=a&q=b',
      'tag=%00',
      'tag=a&tag=b',
      'assignee_id=%00',
      'assignee_id=none&assignee_id=none',
    ],
    ...['stage_id=%00', 'stage_id=a&stage_id=b', 'contact_id=%00', 'contact_id=a&contact_id=b'],
    ...['cursor=', 'cursor=x', 'cursor=%00', 'cursor=a&cursor=b', `cursor=${'A'.repeat(10_000)}`],
  ];
  const usable = [
    ...['limit=1', 'limit=007', 'limit=1000000000', 'limit=99999999999999999999999999'],
    ...['stage_id=', 'contact_id=', 'assignee_id=', 'tag=', 'q=', 'stage_id=x', 'contact_id=ct_x', 'assignee_id=usr_x'],
    ...[
      'q=%ED%A0%80',
      'q=%zz',
      'q=%',
      'q=%F0%9F%98%80',
      'q=\\',
      "q='",
      `q=${'%25'.repeat(3000)}`,
      `q=${'_'.repeat(10_000)}`,
    ],
    ...[
      'unknown=1',
      '__proto__=1',
      '__proto__[q]=1',
      'constructor=1',
      'q[]=1',
      '&&&',
      '=',
      '?',
      'q=a;b',
      'channel_type=sms',
    ],
  ];

  it('with a value that is missing or unusable is refused with its name: 422', async () => {
    for (const query of unusable) {
      const { errors: details } = assertRefused(await workspace.api.get(`/conversations?${query}`), 422, query);
      assert.equal(details?.[0]?.pointer, `/${/^\w+/.exec(query)}`, query);
    }
  });

  it('with any other value is answered', async () => {
    for (const query of usable) {
      const { status, text } = await workspace.api.get(`/conversations?${query}`);
      assert.equal(status, 200, `${query} ${text}`);
    }
  });

  it('with a cursor is good for its own list and filters, in every process, and for nothing else: 422', async () => {
    const { api, key } = workspace;
    const other = await majlis.another();
    const stranger = await majlis.workspace();
    const lists = ['/conversations?', '/conversations?status=open&', `/conversations/${conversation_id}/messages?`];
    const cursors = await Promise.all(lists.map(async (list) => (await api.get(list)).body.next_cursor as string));
    for (const [index, cursor] of cursors.entries()) {
      for (const [place, list] of lists.entries()) {
        const answer = await api.get(`${list}cursor=${cursor}`);
        if (index !== place) assertRefused(answer, 422, list);
        else assert.deepEqual((await createApi(other.url, key).get(`${list}cursor=${cursor}`)).body, answer.body);
      }
      const name = index < 2 ? 'conversations?status=open&' : `conversations/${conversation_id}/messages?`;
      assertRefused(await stranger.api.get(`/${name}cursor=${cursor}`), index < 2 ? 422 : 404);
    }
    assert.equal((await api.get(`/conversations?limit=1&cursor=${cursors[0]}`)).status, 200);
    await other.stop();
  });

  it('with a cursor that was altered is refused: 422', async () => {
    const cursor: string = (await workspace.api.get('/conversations')).body.next_cursor;
    const altered = [...cursor].map(
      (letter, i) => cursor.slice(0, i) + (letter === 'A' ? 'B' : 'A') + cursor.slice(i + 1),
    );
    for (const text of [
      ...altered,
      cursor.slice(0, -1),
      cursor.slice(0, -4),
      `${cursor}A`,
      `${cursor}=`,
      `%20${cursor}`,
    ]) {
      assertRefused(await workspace.api.get(`/conversations?cursor=${text}`), 422, text);
    }
  });
});

describe('a request', () => {
  const authorization = () => `Authorization: Bearer ${workspace.key}`;

  it('that is no HTTP is refused with a code, and the service lives', async () => {
    const attempts: [string, string[]][] = [
      ['GET /v1/messages/\xe9', [authorization()]],
      ['GET /v1/me', [authorization(), `X-Filler: ${'x'.repeat(20_000)}`]],
      [`GET /v1/${'x'.repeat(20_000)}`, [authorization()]],
      ['MAJLIS /v1/me', [authorization()]],
      ['GET /v1/me', [authorization(), 'a colon is missing here']],
      ['POST /v1/messages', [authorization(), 'Content-Length: 2', 'Content-Length: 3']],
      ['POST /v1/messages', [authorization(), 'Content-Length: -1']],
    ];
    for (const [line, headers] of attempts) {
      const { status, text, headers: answered } = await rawRequest(majlis.url, line, headers);
      assert.ok(status >= 400 && status < 500, `${line} ${status}`);
      assert.ok(Value.Check(ErrorBody, JSON.parse(text)), text);
      assert.equal(answered['content-type'], 'application/json; charset=utf-8');
    }
    assert.equal((await workspace.api.get('/me')).status, 200);
  });

  it('for an id that no text column can hold finds nothing: 404, with an idempotency key too', async () => {
    const body = { kind: 'text', body: 'Hello' };
    const reply = await workspace.api.post('/conversations/%00/messages', body, { 'idempotency-key': 'no-text' });
    assertRefused(reply, 404);
  });

  it('whose key cannot be looked up is refused with the headers of the limits', async () => {
    await majlis.sql('alter table api_keys rename to away');
    const { status, headers } = await workspace.api.get('/me');
    await majlis.sql('alter table away rename to api_keys');
    assert.deepEqual([status, headers.get('ratelimit-limit')], [500, '600']);
    assert.equal((await workspace.api.get('/me')).status, 200);
  });

  it('that finds no free connection to the database is refused: 503, and answered once there is one', async () => {
    const narrow = await majlis.another({ DATABASE_POOL_SIZE: '1', ROLES: 'api' });
    const api = createApi(narrow.url, workspace.key);
    const table = await majlis.hold('lock table conversations');
    const waiting = api.get(`/conversations/${conversation_id}`);
    await eventually(
      // No worker that waits for the same table asks for this.
      () =>
        majlis.sql(`select 1 from pg_stat_activity
          where datname = current_database() and wait_event = 'relation' and query like '%as contact_handle%'`),
      (rows) => rows.length === 1,
    );
    const { status, body, headers } = await api.get('/me');
    assert.deepEqual([status, body.code], [503, 'service_unavailable']);
    assert.match(headers.get('retry-after')!, /^[1-9]\d*$/);
    assert.match(headers.get('ratelimit-remaining')!, /^\d+$/);
    await table.release();
    await waiting;
    assert.equal((await api.get('/me')).status, 200);
    await narrow.stop();
  });
});
