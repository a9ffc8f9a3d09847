import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import fc from '@majlis/testing/fast-check';
import { newDigits, untilStatus } from '@majlis/testing/messages';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';
import { wiredTemplate } from '@majlis/testing/templates';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const { api, waba_id, applied } = workspace;

const send = (template: object, to = `+${newDigits()}`) => api.post('/messages', { to, kind: 'template', template });

interface FileTemplate {
  name: string;
  category?: string;
  status?: string;
  components: {
    type: string;
    format?: string;
    text?: string;
    buttons?: { type: string; text: string; url?: string }[];
  }[];
}

/** Approved here and at the platform. */
async function addTemplate({ name, category = 'utility', components }: FileTemplate): Promise<void> {
  const wire = components.map(({ type, format, buttons, ...more }) => ({
    ...more,
    type: type.toUpperCase(),
    ...(format && { format: format.toUpperCase() }),
    ...(buttons && {
      buttons: buttons.map((button) => ({ ...button, type: button.type.toUpperCase() })),
    }),
  }));
  majlis.simulator.addTemplate({ waba_id, name, language: 'en', category: category.toUpperCase(), components: wire });
  await put([{ name, language: 'en', category, components }]);
}

async function put(templates: object[]): Promise<void> {
  const file = { workspace: { name: applied.workspace.name }, templates };
  assert.equal((await majlis.operator('PUT', '/workspaces', file)).status, 200);
}

const values = (...texts: string[]) => texts.map((text) => ({ type: 'text', text }));

describe('the values of a template', () => {
  before(async () => {
    await addTemplate({
      name: 'shipped',
      components: [
        { type: 'header', format: 'text', text: 'Order {{1}}' },
        { type: 'body', text: 'Hello {{1}}, {{2}} is on its way. Bye {{1}}.' },
        { type: 'footer', text: 'Acme' },
        {
          type: 'buttons',
          buttons: [
            { type: 'quick_reply', text: 'Thanks' },
            { type: 'url', text: 'Track', url: 'https://acme.example/t/{{1}}' },
          ],
        },
      ],
    });
  });

  it('go to the header, then the body, then the buttons', async () => {
    const sent = await send({ name: 'shipped', language: 'en', params: ['A-1', 'Muna', 'your oud', 'x42'] });
    assert.equal(sent.status, 201, sent.text);
    assert.equal(sent.body.body, 'Hello Muna, your oud is on its way. Bye Muna.');
    assert.deepEqual((await wiredTemplate(majlis, sent.body.id)).components, [
      { type: 'header', parameters: values('A-1') },
      { type: 'body', parameters: values('Muna', 'your oud') },
      { type: 'button', sub_type: 'url', index: '1', parameters: values('x42') },
    ]);
    await untilStatus(majlis, sent.body.id, 'read');
  });

  for (const params of [undefined, [], ['a'], ['a', 'b', 'c'], ['a', 'b', 'c', 'd', 'e']]) {
    it(`are refused when their number is wrong: ${params?.length ?? 'none'} for 4`, async () => {
      const { status, body } = await send({ name: 'shipped', language: 'en', ...(params && { params }) });
      assert.deepEqual([status, body.code, body.errors[0].pointer], [422, 'unprocessable_content', '/template/params']);
      assert.match(body.errors[0].detail, new RegExp(`4 variables, and ${params?.length ?? 0} values`));
    });
  }

  for (const empty of ['', '  ', '\n']) {
    it(`are refused where one shows nothing: ${JSON.stringify(empty)}`, async () => {
      const { status, body } = await send({ name: 'shipped', language: 'en', params: ['A-1', 'Muna', empty, 'x42'] });
      assert.deepEqual(
        [status, body.code, body.errors[0].pointer],
        [422, 'unprocessable_content', '/template/params/2'],
      );
    });
  }

  it('are none where the template has no variables: components are left out', async () => {
    await addTemplate({ name: 'plain', components: [{ type: 'body', text: 'We are open.' }] });
    const { body } = await send({ name: 'plain', language: 'en' });
    assert.equal(body.body, 'We are open.');
    assert.deepEqual(await wiredTemplate(majlis, body.id), { name: 'plain', language: { code: 'en' } });
  });

  it('stay as they are, whatever they look like; only line breaks and wide gaps are closed, on the wire and to the eye', async () => {
    const texts = fc.sample(
      fc.array(fc.constantFrom('{{1}}', '{{2}}', '$&', '$1', '\n', '\t', '      ', 'a', 'ü', '🌙', '\\', '"'), {
        minLength: 1,
        maxLength: 8,
      }),
      { numRuns: 25, seed: 3 },
    );
    for (const parts of texts) {
      const [one, two] = [parts.join(''), parts.toReversed().join('')];
      const sent = await send({ name: 'order_update', language: 'en', params: [one, two] });
      if (one.trim() === '') {
        assert.equal(sent.status, 422, sent.text);
        continue;
      }
      assert.equal(sent.body.body, `Hello ${close(one)}, your order ${close(two)} has left.`);
      const { components } = await wiredTemplate(majlis, sent.body.id);
      assert.deepEqual(components, [{ type: 'body', parameters: values(close(one), close(two)) }]);
    }
  });

  const close = (text: string) => text.replace(/\s*[\r\n\t]+\s*/g, ' ').replace(/ {5,}/g, '    ');
});

describe('a template is not found', () => {
  const assertNotFound = async (template: object) => {
    const { status, body } = await send({ params: ['a', 'b'], ...template });
    assert.deepEqual([status, body.code], [422, 'template_not_found']);
  };

  it('under a name or in a language that it does not have', async () => {
    await assertNotFound({ name: 'order_updates', language: 'en' });
    await assertNotFound({ name: 'order_update', language: 'en_US' });
    await assertNotFound({ name: 'Order_Update', language: 'en' });
  });

  for (const status of ['draft', 'pending', 'rejected', 'paused', 'disabled']) {
    it(`while it is ${status}`, async () => {
      const name = `is_${status}`;
      const id = parseId('workspace', workspace.id);
      await majlis.sql(
        `insert into templates (workspace_id, id, waba_id, name, language, category, components, status, updated_at)
         select workspace_id, gen_random_uuid(), waba_id, $2, language, category, components, $3, now()
         from templates where workspace_id = $1 and name = 'order_update'`,
        [id, name, status],
      );
      await assertNotFound({ name, language: 'en' });
    });
  }

  it('in the account of another workspace', async () => {
    await addTemplate({ name: 'ours_alone', components: [{ type: 'body', text: 'Hi' }] });
    const other = await majlis.workspace();
    const template = { name: 'ours_alone', language: 'en' };
    const { body } = await other.api.post('/messages', { to: `+${newDigits()}`, kind: 'template', template });
    assert.equal(body.code, 'template_not_found');
  });
});

describe('a header that needs a file', () => {
  before(() =>
    addTemplate({
      name: 'pictured',
      components: [
        { type: 'header', format: 'image' },
        { type: 'body', text: 'Look at {{1}}.' },
      ],
    }),
  );

  it('is asked for by its member', async () => {
    const { status, body } = await send({ name: 'pictured', language: 'en', params: ['it'] });
    assert.deepEqual([status, body.errors[0].pointer], [422, '/template/header_media_id']);
  });

  it('is refused where the file is unknown: media_not_found', async () => {
    const { status, body } = await send({ name: 'pictured', language: 'en', params: ['it'], header_media_id: 'med_1' });
    assert.deepEqual([status, body.code], [422, 'media_not_found']);
  });
});

describe('a marketing template', () => {
  const sale = { name: 'spring_sale', language: 'en' };
  const digits = newDigits();
  const consent = (value: string) =>
    majlis.sql(
      `update contacts set consents = $1 where id = (select contact_id from contact_identities where identifier = $2)`,
      [value, `+${digits}`],
    );

  it('is refused to who has not opted in, by a detail that names the consent', async () => {
    const { status, body } = await send(sale, `+${digits}`);
    assert.deepEqual([status, body.code], [422, 'unprocessable_content']);
    assert.match(body.detail, /consents\.chatapp_marketing/);
    const greeting = { name: 'order_update', language: 'en', params: ['a', 'b'] };
    assert.equal((await send(greeting, `+${digits}`)).status, 201);
    for (const value of ['{}', '{"chatapp_marketing":false}', '{"chatapp_marketing":null}', '{"sms":true}']) {
      await consent(value);
      assert.equal((await send(sale, `+${digits}`)).status, 422, value);
    }
  });

  it('is refused in a conversation too, while its window is open', async () => {
    const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
    const reply = () => api.post(`/conversations/${conversation_id}/messages`, { kind: 'template', template: sale });
    const { status, body } = await reply();
    assert.deepEqual([status, body.code], [422, 'unprocessable_content']);
    assert.match(body.detail, /consents\.chatapp_marketing/);
    const { contact_id } = (await api.get(`/conversations/${conversation_id}`)).body;
    const id = parseId('contact', contact_id);
    await majlis.sql(`update contacts set consents = '{"chatapp_marketing":true}' where id = $1`, [id]);
    assert.equal((await reply()).status, 201);
  });

  it('goes to who has', async () => {
    await consent('{"chatapp_marketing":true}');
    const { body } = await send(sale, `+${digits}`);
    await untilStatus(majlis, body.id, 'read');
  });
});

it('a template that the platform has otherwise than we know fails with the platform’s reason', async () => {
  const components = [{ type: 'BODY', text: 'Hello {{1}} and {{2}}.' }];
  majlis.simulator.addTemplate({ waba_id, name: 'grown', language: 'en', category: 'UTILITY', components });
  await put([
    { name: 'grown', language: 'en', category: 'utility', components: [{ type: 'body', text: 'Hello {{1}}.' }] },
  ]);
  const { body } = await send({ name: 'grown', language: 'en', params: ['Muna'] });
  assert.match((await untilStatus(majlis, body.id, 'failed')).error!, /^132000: /);
});
