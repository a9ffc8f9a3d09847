import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { samples, uploadFile } from '@majlis/testing/media';
import { newDigits } from '@majlis/testing/messages';
import { joinWorkspace } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { searchDatabase } from '@majlis/testing/search-database';
import { makeFolder, runMajlis } from '@majlis/testing/start-process';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const { api } = workspace;
const admin = await joinWorkspace(majlis, workspace, { role: 'admin' });

const readKeys = async (url = majlis.url) =>
  (await (await fetch(`${url}/console/v1/receipt-keys`)).json()) as { data: AnyJson[] };
const receiptOf = async (contact_id: string): Promise<AnyJson> => {
  const { body } = await admin.at('GET', `/erasure-receipts?contact_id=${contact_id}`);
  assert.equal(body.data.length, 1);
  return body.data[0];
};
/** RFC 8785 for texts and integers: members in order, and no white space. */
const canonical = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? `{${Object.entries(value)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`)
        .join(',')}}`
    : JSON.stringify(value);

async function makeContact() {
  const digits = newDigits();
  const identities = [{ channel_type: 'chatapp', identifier: `+${digits}` }];
  const named = { name: `Muna ${digits}`, email: `m${digits}@example.com`, consents: { chatapp_marketing: true } };
  await admin.at('POST', '/contacts', { ...named, identities });
  const { contact_id, conversation_id } = await receiveMessage(majlis, workspace, digits);
  const conversation = `/conversations/${conversation_id}`;
  const media_id = (await uploadFile(majlis, workspace, samples.png, { filename: 'a.png' })).body.id;
  const shared_id = (await uploadFile(majlis, workspace, samples.png, { filename: 'b.png' })).body.id;
  const other = await receiveMessage(majlis, workspace, newDigits());
  for (const [id, target] of [
    [media_id, conversation],
    [shared_id, conversation],
    [shared_id, `/conversations/${other.conversation_id}`],
  ]) {
    assert.equal((await api.post(`${target}/messages`, { kind: 'image', media_id: id })).status, 201);
  }
  await api.post(`${conversation}/notes`, { body: 'A note' });
  await api.post(`${conversation}/notes`, { body: 'Another' });
  return { contact_id, digits, name: named.name, email: named.email, media: { media_id, shared_id } };
}

describe('the receipt of an erasure', () => {
  it('counts what was deleted, as the preview said, and anybody verifies it with the public key', async () => {
    const { contact_id, digits, name, email, media } = await makeContact();
    const preview = await eventually(
      () => admin.at('GET', `/contacts/${contact_id}/erasure-preview`),
      ({ body }) => body.events > 0,
    );
    const { messages, notes, files, conversations, identities, consent_records } = preview.body;
    assert.deepEqual(
      { messages, notes, files, conversations, identities, consent_records },
      { messages: 3, notes: 2, files: 1, conversations: 1, identities: 1, consent_records: 1 },
    );
    assert.equal((await admin.at('DELETE', `/contacts/${contact_id}`)).status, 204);
    assert.deepEqual(
      [(await api.get(`/media/${media.media_id}`)).status, (await api.get(`/media/${media.shared_id}`)).status],
      [404, 200],
    );
    const signed = await receiptOf(contact_id);
    const { receipt } = signed;
    for (const kind of ['messages', 'notes', 'files', 'conversations', 'identities', 'consent_records']) {
      assert.equal(receipt.deleted[kind], preview.body[kind], kind);
    }
    assert.deepEqual(receipt.actor, { kind: 'user', id: admin.user_id });
    assert.deepEqual([receipt.contact_id, receipt.workspace_id], [contact_id, workspace.id]);
    const text = JSON.stringify(signed);
    for (const canary of [digits, name, email, digits.slice(3)]) assert.ok(!text.includes(canary), canary);
    assert.deepEqual(await searchDatabase(majlis, [digits, name, email]), []);

    const { data: keys } = await readKeys();
    const key = keys.find(({ id }) => id === signed.key_id)!;
    const check = (of: AnyJson) =>
      verify(
        null,
        Buffer.from(canonical(of)),
        createPublicKey(key.public_key),
        Buffer.from(signed.signature, 'base64'),
      );
    assert.equal(signed.algorithm, 'Ed25519');
    assert.ok(check(receipt));
    assert.ok(!check({ ...receipt, deleted: { ...receipt.deleted, messages: 4 } }));
    assert.deepEqual((await majlis.operator('GET', '/receipt-keys')).body.data, keys);
    const [row] = await majlis.sql<{ private_key: Buffer }>('select private_key from receipt_keys');
    assert.ok(!row!.private_key.includes('PRIVATE KEY'), 'the private key is sealed');
  });

  it('names the API key where one erased the contact; there is none without an erasure, nor for another workspace', async () => {
    const { contact_id } = await makeContact();
    assert.equal((await api.request('DELETE', `/contacts/${contact_id}`)).status, 204);
    const { receipt } = await receiptOf(contact_id);
    assert.equal(receipt.actor.kind, 'api_key');
    assert.ok(workspace.key.startsWith(receipt.actor.id) && receipt.actor.id.length < workspace.key.length);
    assert.equal((await api.request('DELETE', `/contacts/${contact_id}`)).status, 404);
    await receiptOf(contact_id);
    const elsewhere = await majlis.workspace();
    const stranger = await joinWorkspace(majlis, elsewhere, { role: 'admin' });
    assert.deepEqual((await stranger.at('GET', '/erasure-receipts')).body.data, []);
    assert.equal((await stranger.at('GET', `/contacts/${contact_id}/erasure-preview`)).status, 404);
    assert.equal((await admin.at('GET', '/erasure-receipts?cursor=x')).status, 422);
  });

  it('is checked by a command, with the key of the service or with one from a file', async () => {
    const { contact_id } = await makeContact();
    await admin.at('DELETE', `/contacts/${contact_id}`);
    const signed = await receiptOf(contact_id);
    const folder = await makeFolder();
    const file = async (name: string, content: string) => {
      await writeFile(path.join(folder, name), content);
      return path.join(folder, name);
    };
    const good = await file('receipt.json', JSON.stringify(signed, undefined, 2));
    const asked = await runMajlis(['receipt', 'verify', good, '--url', majlis.url]);
    assert.deepEqual([asked.code, asked.stderr], [0, '']);
    assert.match(asked.stdout, /^The receipt is valid/);
    assert.match(asked.stdout, new RegExp(`${contact_id} of ${workspace.id}[^]*\\n  messages: 3\\n`));
    const [key] = (await readKeys()).data;
    const pem = await file('key.pem', key!.public_key);
    assert.equal((await runMajlis(['receipt', 'verify', good, '--key', pem])).code, 0);
    const forged = { ...signed, receipt: { ...signed.receipt, contact_id: 'ct_other' } };
    const bad = await runMajlis(['receipt', 'verify', await file('bad.json', JSON.stringify(forged)), '--key', pem]);
    assert.deepEqual([bad.code, bad.stdout], [1, '']);
    assert.match(bad.stderr, /NOT valid: its signature does not fit/);
    for (const [content, reason] of [
      ['{}', /is not a receipt/],
      ['x', /is not JSON/],
    ] as const) {
      const odd = await runMajlis(['receipt', 'verify', await file('odd.json', content), '--key', pem]);
      assert.equal(odd.code, 1);
      assert.match(odd.stderr, reason);
    }
  });

  it('stays valid after SECRET_KEY is replaced, and after it is lost', async () => {
    const { contact_id } = await makeContact();
    await admin.at('DELETE', `/contacts/${contact_id}`);
    const signed = await receiptOf(contact_id);
    const lost = await majlis.another({ SECRET_KEY: 'another secret key than before' });
    const later = await readKeys(lost.url);
    assert.deepEqual(
      [later.data.length, later.data.some(({ id }) => id === signed.key_id)],
      [2, true],
      'a new key signs, and the public key of the old one stays',
    );
    await lost.stop();
  });
});
