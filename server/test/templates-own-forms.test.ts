import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { Template } from '@majlis/contract';
import { eventually } from '@majlis/testing/eventually';
import { newDigits, untilStatus } from '@majlis/testing/messages';
import { platformText, postNotification, postSigned, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { startTestService } from '@majlis/testing/start-test-service';
import { forceTemplateSync, wiredTemplate } from '@majlis/testing/templates';
import { Value } from 'typebox/value';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const { api, waba_id } = workspace;

const send = (template: object, to = `+${newDigits()}`) => api.post('/messages', { to, kind: 'template', template });
const values = (...texts: string[]) => texts.map((text) => ({ type: 'text', text }));

describe('a template that the account has in a form of its own', () => {
  const otp = 'https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}';
  const quick = { type: 'QUICK_REPLY', text: 'Yes' };
  const carousel = { type: 'CAROUSEL', cards: [{ components: [{ type: 'BODY', text: 'Card {{1}}' }] }] };
  const listed: [string, object[], object?][] = [
    [
      'named',
      [
        { type: 'HEADER', format: 'TEXT', text: 'For {{customer_name}}' },
        { type: 'BODY', text: 'Order {{order_id}} of {{customer_name}} leaves on {{day}}, {{customer_name}}.' },
        { type: 'BUTTONS', buttons: [quick, { type: 'URL', text: 'See', url: 'https://acme.example/{{1}}' }] },
      ],
      { parameter_format: 'NAMED' },
    ],
    [
      'digits',
      [
        { type: 'HEADER', format: 'TEXT', text: 'Order {{2}}' },
        { type: 'BODY', text: 'Dear {{1st_name}}, order {{2}} leaves on {{30}}, {{1st_name}}.' },
      ],
      { parameter_format: 'NAMED' },
    ],
    ['one_digit', [{ type: 'BODY', text: 'Dear {{1}}, welcome.' }], { parameter_format: 'NAMED' }],
    [
      'formed',
      [
        { type: 'BODY', text: 'Book for {{1}} now.' },
        { type: 'BUTTONS', buttons: [quick, { type: 'FLOW', text: 'Book' }] },
      ],
    ],
    [
      'coded',
      [
        { type: 'BODY', text: '*{{1}}* is your code.' },
        { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Copy', url: otp }] },
      ],
      { category: 'AUTHENTICATION' },
    ],
    [
      'coded_anew',
      [
        { type: 'BODY', text: '*{{1}}* is your code.' },
        { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy' }] },
      ],
      { category: 'AUTHENTICATION' },
    ],
    ['spaced', [{ type: 'BODY', text: 'Order {{ 1 }} of {{ 2 }} left.' }]],
    [
      'offered',
      [
        { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Now' } },
        { type: 'BODY', text: 'Sale.' },
      ],
    ],
    ['shown', [{ type: 'BODY', text: 'See.' }, carousel]],
    [
      'listed',
      [
        { type: 'BODY', text: 'Buy.' },
        { type: 'BUTTONS', buttons: [{ type: 'MPM', text: 'Items' }] },
      ],
    ],
    [
      'placed',
      [
        { type: 'HEADER', format: 'LOCATION' },
        { type: 'BODY', text: 'Here.' },
      ],
    ],
    [
      'produced',
      [
        { type: 'HEADER', format: 'PRODUCT' },
        { type: 'BODY', text: 'This.' },
      ],
    ],
    [
      'ordered',
      [
        { type: 'BODY', text: 'Pay.' },
        { type: 'BUTTONS', buttons: [{ type: 'ORDER_DETAILS', text: 'Pay' }] },
      ],
    ],
    ['far', [{ type: 'BODY', text: 'Order {{1}} of {{1000000000}}.' }]],
    ['from_nought', [{ type: 'BODY', text: 'Order {{0}} left.' }]],
    [
      'with_gap',
      [
        { type: 'HEADER', format: 'TEXT', text: 'Order {{2}}' },
        { type: 'BODY', text: 'It left.' },
      ],
    ],
    ['dated', [{ type: 'BODY', text: 'Old.' }], { category: 'SHIPPING_UPDATE' }],
  ];
  before(async () => {
    for (const [name, components, more] of listed) {
      const template = { waba_id, name, language: 'en', category: 'UTILITY', components, ...more };
      majlis.simulator.addTemplate(template as Parameters<typeof majlis.simulator.addTemplate>[0]);
    }
    await forceTemplateSync(majlis, workspace);
  });

  it('has its named variables filled in the order of their first appearance', async () => {
    const sent = await send({ name: 'named', language: 'en', params: ['Muna', 'A-1', 'Sunday', 'x42'] });
    assert.equal(sent.status, 201, sent.text);
    assert.equal(sent.body.body, 'Order A-1 of Muna leaves on Sunday, Muna.');
    const named = (parameter_name: string, text: string) => ({ type: 'text', parameter_name, text });
    assert.deepEqual((await wiredTemplate(majlis, sent.body.id)).components, [
      { type: 'header', parameters: [named('customer_name', 'Muna')] },
      { type: 'body', parameters: [named('order_id', 'A-1'), named('customer_name', 'Muna'), named('day', 'Sunday')] },
      { type: 'button', sub_type: 'url', index: '1', parameters: values('x42') },
    ]);
    await untilStatus(majlis, sent.body.id, 'read');
    const { status, body } = await send({ name: 'named', language: 'en', params: ['Muna'] });
    assert.deepEqual([status, body.errors[0].pointer], [422, '/template/params']);
    assert.match(body.errors[0].detail, /4 variables, and 1 values/);
  });

  it('has its variables named as the platform does, also where the names are digits', async () => {
    const named = (parameter_name: string, text: string) => ({ type: 'text', parameter_name, text });
    const sent = await send({ name: 'digits', language: 'en', params: ['A-1', 'Muna', 'Sunday'] });
    assert.equal(sent.body.body, 'Dear Muna, order A-1 leaves on Sunday, Muna.', sent.text);
    assert.deepEqual((await wiredTemplate(majlis, sent.body.id)).components, [
      { type: 'header', parameters: [named('2', 'A-1')] },
      { type: 'body', parameters: [named('1st_name', 'Muna'), named('2', 'A-1'), named('30', 'Sunday')] },
    ]);
    const { body } = await send({ name: 'one_digit', language: 'en', params: ['Muna'] });
    assert.equal(body.body, 'Dear Muna, welcome.');
    assert.deepEqual((await wiredTemplate(majlis, body.id)).components, [
      { type: 'body', parameters: [named('1', 'Muna')] },
    ]);
    for (const { id } of [sent.body, body]) await untilStatus(majlis, id, 'read');
  });

  it('has its form opened with a token that names the message', async () => {
    const { body } = await send({ name: 'formed', language: 'en', params: ['two'] });
    const flow = { type: 'action', action: { flow_token: body.id } };
    assert.deepEqual((await wiredTemplate(majlis, body.id)).components!.at(-1), {
      ...{ type: 'button', sub_type: 'flow', index: '1', parameters: [flow] },
    });
    await untilStatus(majlis, body.id, 'read');
  });

  for (const name of ['coded', 'coded_anew']) {
    it(`takes a one-time code once, and no two different ones: ${name}`, async () => {
      for (const params of [['123456'], ['123456', '123456']]) {
        const { body, text } = await send({ name, language: 'en', params });
        assert.ok(body.id, text);
        assert.deepEqual((await wiredTemplate(majlis, body.id)).components, [
          { type: 'body', parameters: values('123456') },
          { type: 'button', sub_type: 'url', index: '0', parameters: values('123456') },
        ]);
      }
      const { status, body } = await send({ name, language: 'en', params: ['123456', '654321'] });
      assert.deepEqual([status, body.errors[0].pointer], [422, '/template/params']);
    });
  }

  it('has its variables filled in where spaces stand around the numbers', async () => {
    const { body, text } = await send({ name: 'spaced', language: 'en', params: ['A-1', 'Muna'] });
    assert.equal(body.body, 'Order A-1 of Muna left.', text);
    assert.deepEqual((await wiredTemplate(majlis, body.id)).components, [
      { type: 'body', parameters: values('A-1', 'Muna') },
    ]);
  });

  it('of a one-time code is refused to who has no known number', async () => {
    const user_id = `OM.${newDigits()}55`;
    const message = platformText('', 'Hello', { from_user_id: user_id });
    await postNotification(majlis, workspace, { messages: [message] });
    await untilNotificationsProcessed(majlis);
    const [contact] = (await api.get(`/contacts?q=${user_id}`)).body.data;
    const template = { name: 'coded', language: 'en', params: ['123456'] };
    const sent = await api.post('/messages', { contact_id: contact.id, kind: 'template', template });
    assert.deepEqual([sent.status, sent.body.errors[0].pointer], [422, '/contact_id']);
  });

  for (const name of ['offered', 'shown', 'listed', 'placed', 'produced', 'ordered']) {
    it(`is refused at once where the API has no values for it: ${name}`, async () => {
      const digits = newDigits();
      const { status, body } = await send({ name, language: 'en' }, `+${digits}`);
      assert.deepEqual([status, body.errors[0].pointer], [422, '/template']);
      const recipients = [{ to: `+${digits}`, params: [] }];
      const broadcast = await api.post('/broadcasts', {
        name,
        template: { name, language: 'en' },
        audience: { recipients },
      });
      assert.deepEqual([broadcast.status, broadcast.body.errors[0].pointer], [422, '/template']);
    });
  }

  for (const name of ['far', 'from_nought', 'with_gap']) {
    it(`is refused at once where its variables are not numbered from 1 without a gap: ${name}`, async () => {
      for (const params of [[], ['one'], ['one', 'two']]) {
        const { status, body } = await send({ name, language: 'en', params });
        assert.deepEqual([status, body.errors[0].pointer], [422, '/template']);
      }
      const recipients = [{ to: `+${newDigits()}`, params: ['one'] }];
      const template = { name, language: 'en' };
      const broadcast = await api.post('/broadcasts', { name, template, audience: { recipients } });
      assert.deepEqual([broadcast.status, broadcast.body.errors[0].pointer], [422, '/template']);
    });
  }

  it('is listed in the shape that the contract has', async () => {
    const { body } = await api.get('/chatapp/templates');
    for (const template of body.data) assert.ok(Value.Check(Template, template), JSON.stringify(template));
    const find = (wanted: string) => body.data.find(({ name }: { name: string }) => name === wanted);
    assert.deepEqual(find('shown').components, [{ type: 'body', text: 'See.' }]);
    assert.deepEqual(find('placed').components[0], { type: 'header' });
    assert.equal(find('dated').category, 'utility');
  });

  const readDated = async (): Promise<string> => {
    const { body } = await api.get('/chatapp/templates');
    return body.data.find(({ name }: { name: string }) => name === 'dated').components[0].text;
  };

  async function postReport(field: string, report: object): Promise<void> {
    const value = { message_template_name: 'dated', message_template_language: 'en', ...report };
    const entry = [{ id: waba_id, time: Math.floor(Date.now() / 1000), changes: [{ field, value }] }];
    const notification = JSON.stringify({ object: 'whatsapp_business_account', entry });
    assert.equal((await postSigned(majlis, notification, workspace.app_secret)).status, 200);
  }

  it('is read again at once when its components changed', async () => {
    for (const field of ['message_template_components_update', 'template_correct_category_detection']) {
      const components = [{ type: 'BODY', text: `By ${field}.` }];
      majlis.simulator.addTemplate({ waba_id, name: 'dated', language: 'en', category: 'UTILITY', components });
      await postReport(field, { message_template_id: 1 });
      await eventually(readDated, (text) => text === `By ${field}.`);
    }
  });

  it('is read again at once where a report names it without its id', async () => {
    const reports = {
      message_template_status_update: { event: 'PAUSED' },
      message_template_quality_update: { new_quality_score: 'RED' },
      template_category_update: { previous_category: 'UTILITY', new_category: 'MARKETING' },
    };
    for (const [field, report] of Object.entries(reports)) {
      const components = [{ type: 'BODY', text: `By ${field}.` }];
      majlis.simulator.addTemplate({ waba_id, name: 'dated', language: 'en', category: 'UTILITY', components });
      await postReport(field, report);
      await eventually(readDated, (text) => text === `By ${field}.`);
    }
  });
});
