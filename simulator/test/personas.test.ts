import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { cleanUp } from '@majlis/testing/cleanup';
import { type Simulator, startSimulator } from '../src/index.ts';
import type { Dict } from '../src/world/message.ts';
import { type BusinessWebhook, startBusinessWebhook } from './business-webhook.ts';
import { until } from './until.ts';

const phone_number_id = '440000000000001';
const salma = '96890000001';
const omar = '96890000002';
const lina = '96890000009';
const place = { latitude: 23.6, longitude: 58.5, name: 'Qurum' };

describe('personas', () => {
  let simulator: Simulator;
  let receiver: BusinessWebhook;
  let isSomebodyThere = false;

  const writtenBy = (wa_id: string): Dict[] => receiver.messages().filter(({ from }) => from === wa_id);
  const open = (wa_id: string) =>
    simulator.inject({ phone_number_id, from: wa_id, type: 'text', content: 'Hi', at: Date.now() - 60_000 });

  async function send(to: string, body: string): Promise<string> {
    const response = await fetch(`${simulator.api_url}/${phone_number_id}/messages`, {
      method: 'POST',
      headers: { authorization: 'Bearer platform-token', 'content-type': 'application/json' },
      body: JSON.stringify({ messaging_product: 'whatsapp', to, type: 'text', text: { body } }),
    });
    const answer = (await response.json()) as { messages: { id: string }[] };
    return answer.messages[0]!.id;
  }

  async function control(path: string, method: string, body: object): Promise<number> {
    const { status } = await fetch(`${simulator.url}/control/${path}`, {
      method,
      headers: { authorization: `Bearer ${simulator.control_token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return status;
  }

  before(async () => {
    receiver = await startBusinessWebhook('secret');
    cleanUp('the receiver', () => receiver.close());
    simulator = await startSimulator({
      port: 0,
      seed: 1,
      webhook: { callback_url: receiver.url, app_secret: 'secret', verify_token: 'verify' },
      numbers: [
        {
          ...{ phone_number_id, waba_id: '330000000000001', display_phone: '+12025550111' },
          ...{ verified_name: 'Example Shop', access_token: 'platform-token' },
        },
      ],
      delays: { sent_ms: 1, delivered_ms: 2, read_ms: 3 },
    });
    cleanUp('the simulator', () => simulator.close());
    for (const wa_id of [salma, omar, '96890000003', '96890000004']) open(wa_id);
    await until('the customers have written', () => receiver.messages().length === 4);
    simulator.playPersonas({
      phone_number_id,
      personas: [
        { phone: `+${salma}`, name: 'Salma', language: 'ar', order: 'A-7', place },
        { phone: omar, name: 'Omar', language: 'en', order: 'A-8' },
        { phone: lina, name: 'Lina', language: 'en', openings: ['Are you open?'] },
      ],
      isSomebodyThere: () => isSomebodyThere,
      pace: { thinking_ms: [0, 0], letter_ms: 0, opening_ms: [1, 2] },
    });
  });

  it('answer in their language, on the topic', async () => {
    await send(omar, 'Could you tell me the order number?');
    await send(salma, 'ممكن رقم الطلب؟');
    await until('both have answered', () => [salma, omar].every((wa_id) => writtenBy(wa_id).length === 2));
    assert.deepEqual(writtenBy(omar)[1]!.text, { body: 'It is A-8.' });
    assert.deepEqual(writtenBy(salma)[1]!.text, { body: 'رقم الطلب A-7' });
  });

  it('do not say the same twice in a row', async () => {
    await send(omar, 'And the order number again?');
    await until('there is an answer', () => writtenBy(omar).length === 3);
    assert.deepEqual(writtenBy(omar)[2]!.text, { body: 'I sent it above: A-8' });
  });

  it('send their place, and react to thanks', async () => {
    await send(salma, 'أرسلي لنا موقعك');
    await until('the place is there', () => writtenBy(salma).length === 3);
    assert.deepEqual(writtenBy(salma)[2]!.location, place);
    await send(salma, 'شكراً لك');
    await until('there is an answer', () => writtenBy(salma).length === 4);
    const message_id = await send(salma, 'شكراً');
    await until('there is a reaction', () => writtenBy(salma).length === 5);
    assert.deepEqual(writtenBy(salma)[4]!.reaction, { message_id, emoji: '🙏' });
  });

  it('answer as a customer without a persona does, in the language of the business', async () => {
    await send('96890000003', 'تم، نراكم غداً');
    await until('there is an answer', () => writtenBy('96890000003').length === 2);
    assert.match(String((writtenBy('96890000003')[1]!.text as Dict).body), /تمام/);
  });

  it('are silent where a person writes on the phone of the customer', async () => {
    simulator.inject({ phone_number_id, from: '96890000004', type: 'text', content: 'By hand' });
    await send('96890000004', 'Noted.');
    await send(omar, 'Noted.');
    await until('the other one has answered', () => writtenBy(omar).length === 4);
    assert.equal(writtenBy('96890000004').length, 2);
  });

  it('write by themselves only while somebody is there', async () => {
    await send(salma, 'تم');
    await until('there is an answer', () => writtenBy(salma).length === 6);
    assert.deepEqual(writtenBy(lina), []);
    isSomebodyThere = true;
    await until('she writes', () => writtenBy(lina).length === 1);
    assert.deepEqual(writtenBy(lina)[0]!.text, { body: 'Are you open?' });
  });

  it('stop for good after eight answers in ten minutes, so that two machines do not talk for ever', async () => {
    for (let answers = writtenBy(omar).length - 1; answers < 8; answers++) {
      await send(omar, 'Noted.');
      await until('there is an answer', () => writtenBy(omar).length === answers + 2);
    }
    await send(omar, 'Noted.');
    await send('96890000003', 'Noted.');
    await until('another one has answered', () => writtenBy('96890000003').length === 3);
    assert.equal(writtenBy(omar).length, 9);
  });

  it('are silent while the switch is off', async () => {
    assert.equal(await control('settings', 'PATCH', { switches: { personas: false } }), 200);
    await send('96890000003', 'Noted.');
    await until('it is read', () => simulator.pending() === 0);
    assert.equal(writtenBy('96890000003').length, 3);
  });
});
