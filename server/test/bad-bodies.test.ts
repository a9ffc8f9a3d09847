import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { assertRefused } from '@majlis/testing/assert-refused';
import { newDigits } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { rawRequest } from '@majlis/testing/raw-request';
import { startTestService, type TestWorkspace, templateMessage } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const send = { to: '+96891234567', ...templateMessage };

let workspace: TestWorkspace;
/** Of a conversation whose window is open. */
let conversation_id: string;

before(async () => {
  workspace = await majlis.workspace();
  conversation_id = await receiveText(majlis, workspace, newDigits());
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
    const { detail } = assertRefused(await post('Content-Length: 1048577'), 413);
    assert.match(detail!, /1048576 bytes/);
    assertRefused(await post('Content-Length: 999999999999999'), 413);
    assertRefused(await post('Transfer-Encoding: chunked', `100001\r\n${' '.repeat(0x100001)}\r\n`), 413);
    const largest = JSON.stringify(send).padEnd(1_048_576);
    assert.equal((await workspace.api.post('/messages', `${largest} `)).status, 413);
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
        'x'.repeat(4_096),
      ],
    ];
    for (const text of texts) {
      const { body: sent } = await reply({ kind: 'text', body: text });
      assert.equal(sent.body, text);
      assert.equal((await workspace.api.get(`/messages/${sent.id}`)).body.body, text);
      const params = [text, text];
      const { status, body: filled } = await reply({
        ...templateMessage,
        template: { ...templateMessage.template, params },
      });
      if (text.trim() === '') {
        // The platform takes no empty value (docs/decisions.md).
        assert.deepEqual([status, filled.errors[0].pointer], [422, '/template/params/0']);
        continue;
      }
      assert.equal(filled.body, `Hello ${text}, your order ${text} has left.`);
    }
    const params = ['a\r\n\t b', 'c'];
    const { body: filled } = await reply({ ...templateMessage, template: { ...templateMessage.template, params } });
    // The platform takes no line breaks and tabs in them.
    assert.equal(filled.body, 'Hello a b, your order c has left.');
  });
});
