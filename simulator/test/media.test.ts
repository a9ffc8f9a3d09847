import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { accountId, bearerOf, numberId, startTestSimulator, token, wamidOf } from './test-simulator.ts';

const s = startTestSimulator();
const bytes = Buffer.from('\x89PNG not really');

async function upload(type: string, filename: string, content: Uint8Array<ArrayBuffer> = new Uint8Array(bytes)) {
  const form = new FormData();
  form.set('messaging_product', 'whatsapp');
  form.set('type', type);
  form.set('file', new Blob([content], { type }), filename);
  const answer = await fetch(`${s.simulator.api_url}/${numberId}/media`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  return {
    status: answer.status,
    body: (await answer.json()) as { id: string; error?: { code: number; message: string } },
  };
}

const fetchBytes = (url: string, headers: Record<string, string>) => fetch(url, { headers });

test('gives back the bytes that were uploaded, to who brings the token', async () => {
  const { body } = await upload('image/png', 'front.png');
  const { body: media } = await s.call('GET', body.id);
  assert.equal(media.sha256, createHash('sha256').update(bytes).digest('hex'));
  assert.equal(media.file_size, String(bytes.length));
  assert.equal(media.mime_type, 'image/png');
  const url = String(media.url);
  const answer = await fetchBytes(url, { authorization: `Bearer ${token}` });
  assert.equal(answer.headers.get('content-type'), 'image/png');
  assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytes);
  assert.equal((await fetchBytes(url, {})).status, 401);
  assert.equal((await fetchBytes(url, { authorization: `Bearer ${token}`, 'user-agent': '' })).status, 401);
  assert.equal((await fetchBytes(`${url}x`, { authorization: `Bearer ${token}` })).status, 404);
});

test('lets the address expire after five minutes, and the medium after thirty days', async () => {
  const { body } = await upload('image/png', 'front.png');
  const { body: media } = await s.call('GET', body.id);
  await s.control('POST', 'clock', { advance_seconds: 301 });
  assert.equal((await fetchBytes(String(media.url), { authorization: `Bearer ${token}` })).status, 404);
  const { body: again } = await s.call('GET', body.id);
  assert.equal((await fetchBytes(String(again.url), { authorization: `Bearer ${token}` })).status, 200);
  await s.control('POST', 'clock', { advance_seconds: 31 * 86_400 });
  assert.equal((await s.call('GET', body.id)).body.error?.error_subcode, 33);
});

test('refuses a type that is not listed, a contradicting name and a file too large', async () => {
  const octets = await upload('application/octet-stream', 'a.bin');
  assert.equal(octets.status, 400);
  assert.match(octets.body.error?.message ?? '', /Received file of type 'application\/octet-stream'/);
  assert.equal((await upload('image/png', 'a.jpg')).body.error?.code, 100);
  assert.equal((await upload('image/png', 'a.png', new Uint8Array(5 * 1024 * 1024 + 1))).body.error?.code, 100);
});

test('forgets a deleted medium', async () => {
  const { body } = await upload('image/png', 'front.png');
  assert.deepEqual((await s.call('DELETE', body.id)).body, { success: true });
  assert.equal((await s.call('GET', body.id)).body.error?.code, 100);
});

test('belongs to its number, when the question names one', async () => {
  const { body } = await upload('image/png', 'front.png');
  assert.equal((await s.call('GET', `${body.id}?phone_number_id=${numberId}`)).status, 200);
  assert.equal((await s.call('GET', `${body.id}?phone_number_id=1`)).body.error?.code, 100);
});

test('sends an uploaded image, refuses an unknown id at once and a wrong kind later', async () => {
  s.write('15550008888');
  const { body } = await upload('image/png', 'front.png');
  const sent = await s.send('+15550008888', { type: 'image', image: { id: body.id, caption: 'Front' } });
  assert.equal(sent.status, 200);
  assert.equal((await s.send('+15550008888', { type: 'image', image: { id: '1' } })).body.error?.code, 100);
  const pdf = await upload('application/pdf', 'a.pdf');
  const wrong = await s.send('+15550008888', { type: 'image', image: { id: pdf.body.id } });
  const opus = await upload('audio/opus', 'a.opus');
  const voice = await s.send('+15550008888', { type: 'audio', audio: { id: opus.body.id, voice: true } });
  const link = await s.send('+15550008888', { type: 'image', image: { link: 'https://nowhere.invalid/a.png' } });
  await s.settled();
  assert.equal(s.statusesOf(wamidOf(sent)).length, 3);
  for (const answer of [wrong, voice, link]) {
    assert.equal(s.statusesOf(wamidOf(answer))[0]?.errors?.[0]?.code, 131053);
  }
  const [failure] = s.statusesOf(wamidOf(voice))[0]!.errors as unknown as [{ error_data: { details: string } }];
  assert.match(failure.error_data.details, /^Unsupported Voice mime type audio\/opus\. Please use one of audio\/ogg/);
});

test('tells of a customer’s image with its hash in base64, and serves it', async () => {
  const stored = await fetch(
    `${s.simulator.url}/control/media?phone_number_id=${numberId}&mime_type=image/png&filename=a.png`,
    {
      method: 'POST',
      headers: { ...bearerOf(s.simulator), 'content-type': 'application/octet-stream' },
      body: new Uint8Array(bytes),
    },
  );
  const { id } = (await stored.json()) as { id: string };
  const wamid = s.simulator.inject({
    phone_number_id: numberId,
    from: '15550008888',
    type: 'image',
    content: { id, caption: 'Look' },
  });
  await s.settled();
  const message = s.receiver.messages().find((one) => one.id === wamid);
  const sha256 = createHash('sha256').update(bytes).digest('base64');
  assert.deepEqual(message?.image, { mime_type: 'image/png', sha256, id, caption: 'Look' });
  assert.equal((await s.call('GET', id)).status, 200);
});

test('takes a resumable upload in pieces and gives a handle', async () => {
  const { body } = await s.call('POST', `100000000000001/uploads?file_name=a.png&file_length=10&file_type=image/png`);
  const id = String(body.id);
  const put = (offset: number, text: string) =>
    s.call('POST', id, text, {
      authorization: `OAuth ${token}`,
      file_offset: String(offset),
      'content-type': 'application/octet-stream',
    });
  await put(0, '12345');
  assert.equal((await s.call('GET', id)).body.file_offset, 5);
  assert.equal((await put(0, '12345')).body.error?.code, 100);
  const handle = String((await put(5, '67890')).body.h);
  assert.match(handle, /^4::/);
  const template = {
    name: 'with_sample',
    language: 'en_US',
    category: 'MARKETING',
    components: [
      { type: 'HEADER', format: 'IMAGE', example: { header_handle: [handle] } },
      { type: 'BODY', text: 'Look here' },
    ],
  };
  assert.equal((await s.call('POST', `${accountId}/message_templates`, template)).status, 200);
});
