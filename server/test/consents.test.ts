import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import {
  platformText,
  postNotification,
  receiveText,
  untilNotificationsProcessed,
} from '@majlis/testing/notifications';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
let workspace: TestWorkspace;
let owner: Member;
let agent: Member;
before(async () => {
  workspace = await majlis.workspace();
  owner = await joinWorkspace(majlis, workspace);
  agent = await joinWorkspace(majlis, workspace, { role: 'agent', name: 'Sara' });
});

interface Customer {
  digits: string;
  contact_id: string;
}

async function newCustomer(): Promise<Customer> {
  const digits = newDigits();
  const conversation_id = await receiveText(majlis, workspace, digits);
  return { digits, contact_id: (await workspace.api.get(`/conversations/${conversation_id}`)).body.contact_id };
}

const nowSeconds = async () => Math.floor(Date.parse((await majlis.operator('GET', '/clock')).body.now) / 1000);

/** A text of the customer, written at this second of the platform. */
async function writes({ digits }: Customer, body: string, at?: number, id?: string): Promise<void> {
  const timestamp = String(at ?? (await nowSeconds()));
  await postNotification(majlis, workspace, {
    contacts: [{ profile: { name: 'Muna' }, wa_id: digits }],
    messages: [platformText(digits, body, { timestamp, ...(id && { id }) })],
  });
  await untilNotificationsProcessed(majlis);
}

/** The customer changes a text, at this second of the platform. */
async function edits({ digits }: Customer, original_message_id: string, body: string, at: number): Promise<void> {
  const edit = { original_message_id, message: { type: 'text', text: { body } } };
  const message = platformText(digits, '', { type: 'edit', text: undefined, edit, timestamp: String(at) });
  await postNotification(majlis, workspace, { messages: [message] });
  await untilNotificationsProcessed(majlis);
}

async function tells({ digits }: Customer, value: 'stop' | 'resume', timestamp: number): Promise<void> {
  const preference = { wa_id: digits, detail: '', category: 'marketing_messages', value, timestamp };
  await postNotification(majlis, workspace, { user_preferences: [preference] }, 'user_preferences');
  await untilNotificationsProcessed(majlis);
}

const upsert = ({ digits }: Customer, consents: object) =>
  workspace.api.post('/contacts', { identities: [{ channel_type: 'chatapp', identifier: `+${digits}` }], consents });

const consentOf = async ({ contact_id }: Customer): Promise<unknown> =>
  (await workspace.api.get(`/contacts/${contact_id}`)).body.consents.chatapp_marketing;

/** The evidence of a contact, the first decision first. */
async function recordsOf({ contact_id }: Pick<Customer, 'contact_id'>): Promise<AnyJson[]> {
  const { status, body } = await agent.at('GET', `/contacts/${contact_id}/consent-records`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.data.toReversed();
}

const brief = (records: AnyJson[]) => records.map(({ consent, granted, source }) => `${consent} ${granted} ${source}`);

describe('the evidence of a consent', () => {
  it('names the API key that granted it, and is no new one where the consent stays', async () => {
    const customer = await newCustomer();
    await upsert(customer, { chatapp_marketing: true, sms: false });
    await upsert(customer, { chatapp_marketing: true, sms: false });
    await upsert(customer, { chatapp_marketing: false });
    const records = await recordsOf(customer);
    assert.deepEqual(brief(records), ['chatapp_marketing true api', 'sms false api', 'chatapp_marketing false api']);
    const [{ actor_kind, actor_name, decided_at, recorded_at }] = records as [AnyJson];
    assert.deepEqual([actor_kind, actor_name], ['api_key', workspace.key.slice(0, actor_name.length)]);
    assert.ok(actor_name.length > 4 && actor_name.length < workspace.key.length / 2);
    assert.equal(decided_at, recorded_at);
  });

  it('names the person of the console, with what the contact was shown', async () => {
    const customer = await newCustomer();
    const path = `/contacts/${customer.contact_id}/consent-records`;
    const shown_text = 'May we send you our offers?';
    const { status, body } = await agent.at('POST', path, { granted: true, shown_text });
    assert.deepEqual([status, body.consents], [200, { chatapp_marketing: true }]);
    await agent.at('POST', path, { granted: true });
    const records = await recordsOf(customer);
    assert.deepEqual(brief(records), ['chatapp_marketing true console', 'chatapp_marketing true console']);
    const [{ actor_kind, actor_id, actor_name }] = records as [AnyJson];
    assert.deepEqual([actor_kind, actor_id, actor_name], ['user', agent.user_id, 'Sara']);
    assert.deepEqual(
      records.map((record) => record.shown_text),
      [shown_text, undefined],
    );
    const refused = await agent.at('POST', path, { granted: true, consent: ' ' });
    assert.equal(refused.status, 422, JSON.stringify(refused.body));
  });

  it('is kept of an import, row by row', async () => {
    const digits = newDigits();
    const row = { identities: [{ channel_type: 'chatapp', identifier: `+${digits}` }] };
    const contacts = [
      { ...row, consents: { chatapp_marketing: true } },
      { ...row, consents: { chatapp_marketing: true, sms: { asked: 'by post' } } },
    ];
    const { status, body } = await workspace.api.post('/contacts/import', { contacts });
    assert.deepEqual([status, body.created, body.updated], [200, 1, 1]);
    const [{ id }] = (await workspace.api.get(`/contacts?q=${digits}`)).body.data;
    const records = await recordsOf({ contact_id: id });
    assert.deepEqual(brief(records).toSorted(), ['chatapp_marketing true import', 'sms undefined import']);
    assert.equal(records.find(({ consent }) => consent === 'sms')!.value, '{"asked":"by post"}');
  });

  it('is of the customer who chose, also where the number has another owner by now', async () => {
    const chooser = await newCustomer();
    const { digits } = chooser;
    const chosen = await nowSeconds();
    await majlis.advance(60);
    const system = { type: 'user_changed_number', body: 'changed', wa_id: newDigits() };
    const timestamp = String(await nowSeconds());
    const change = { ...platformText(digits, '', { timestamp }), text: undefined, type: 'system', system };
    await postNotification(majlis, workspace, { messages: [change] });
    await untilNotificationsProcessed(majlis);
    await majlis.advance(60);
    await writes(chooser, 'Hello');
    const next = { digits, contact_id: (await upsert(chooser, {})).body.id };
    assert.notEqual(next.contact_id, chooser.contact_id);
    await tells(chooser, 'stop', chosen);
    assert.deepEqual([await consentOf(chooser), await consentOf(next)], [false, undefined]);
  });

  it('is kept of what the customer chose in their app, by the time of the choice', async () => {
    const customer = await newCustomer();
    const chosen = (await nowSeconds()) - 100;
    await tells(customer, 'resume', chosen);
    await tells(customer, 'stop', chosen + 10);
    await tells(customer, 'resume', chosen);
    await tells(customer, 'stop', chosen + 20);
    const records = await recordsOf(customer);
    assert.deepEqual(brief(records), ['chatapp_marketing true platform', 'chatapp_marketing false platform']);
    assert.deepEqual(
      records.map(({ actor_kind, decided_at }) => [actor_kind, Date.parse(decided_at) / 1000]),
      [
        ['contact', chosen],
        ['contact', chosen + 10],
      ],
    );
  });

  it('moves with a merge, which is one itself where it withdraws', async () => {
    const [survivor, source] = [await newCustomer(), await newCustomer()];
    await upsert(survivor, { chatapp_marketing: true });
    await upsert(source, { chatapp_marketing: false });
    const path = `/contacts/${survivor.contact_id}`;
    const preview = await owner.at('GET', `${path}/merge-preview?source_contact_id=${source.contact_id}`);
    const moved = { identities: 1, conversations: 1, tags: 0, custom_fields: 0, consent_records: 1 };
    assert.deepEqual([preview.status, preview.body], [200, moved]);
    await owner.at('POST', `${path}/merge`, { source_contact_id: source.contact_id });
    const records = await recordsOf(survivor);
    assert.deepEqual(brief(records), [
      'chatapp_marketing true api',
      'chatapp_marketing false api',
      'chatapp_marketing false merge',
    ]);
    assert.equal(records[2]!.actor_id, owner.user_id);
  });

  it('ends with the contact', async () => {
    const customer = await newCustomer();
    await upsert(customer, { chatapp_marketing: true });
    const [{ id }] = (await majlis.sql('select id from consent_records order by id desc limit 1')) as [AnyJson];
    assert.equal((await owner.at('DELETE', `/contacts/${customer.contact_id}`)).status, 204);
    assert.deepEqual(await majlis.sql('select id from consent_records where id = $1', [id]), []);
    const gone = await agent.at('GET', `/contacts/${customer.contact_id}/consent-records`);
    assert.equal(gone.status, 404);
  });

  it('comes in pages', async () => {
    const customer = await newCustomer();
    for (let n = 0; n < 5; n++) await upsert(customer, { chatapp_marketing: n % 2 === 0 });
    const path = `/contacts/${customer.contact_id}/consent-records?limit=2`;
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await agent.at('GET', `${path}${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.data.map(({ id }: AnyJson) => id));
      if (!body.has_more) break;
      cursor = body.next_cursor;
    }
    assert.equal(new Set(seen).size, 5);
    assert.equal(seen.length, 5);
  });
});

describe('a customer who writes a word', () => {
  it('withdraws the consent in English and in Arabic, with the message as evidence', async () => {
    for (const word of ['Stop!', 'إيقاف', 'STOP 🛑', '(stop)']) {
      const customer = await newCustomer();
      await upsert(customer, { chatapp_marketing: true });
      await majlis.advance(2);
      await writes(customer, word);
      assert.equal(await consentOf(customer), false);
      const record = (await recordsOf(customer)).at(-1)!;
      const { granted, source, actor_kind, shown_text } = record;
      assert.deepEqual([granted, source, actor_kind, shown_text], [false, 'inbound_message', 'contact', word]);
      assert.equal((await workspace.api.get(`/messages/${record.message_id}`)).body.body, word);
    }
  });

  it('withdraws nothing by a sentence', async () => {
    const customer = await newCustomer();
    await upsert(customer, { chatapp_marketing: true });
    for (const text of ['stop by tomorrow', 'Please stop', 'start']) await writes(customer, text);
    assert.equal(await consentOf(customer), true);
    assert.equal((await recordsOf(customer)).length, 1);
  });

  it('withdraws the consent by an edit, with its time and text, and grants none', async () => {
    const customer = await newCustomer();
    await upsert(customer, { chatapp_marketing: true });
    await majlis.advance(2);
    const at = await nowSeconds();
    const ids = ['first', 'second', 'third'].map((name) => `wamid.${name}${customer.digits}`);
    const [first, second, third] = ids as [string, string, string];
    for (const id of ids) await writes(customer, 'When do you open?', at, id);
    await edits(customer, first, 'When do you stop?', at + 1);
    assert.equal(await consentOf(customer), true);
    await edits(customer, second, 'Stop', at + 2);
    const { granted, shown_text, message_id, decided_at } = (await recordsOf(customer)).at(-1)!;
    assert.deepEqual([granted, shown_text, Date.parse(decided_at)], [false, 'Stop', (at + 2) * 1_000]);
    assert.equal((await workspace.api.get(`/messages/${message_id}`)).body.body, 'Stop');
    await majlis.advance(60);
    await upsert(customer, { chatapp_marketing: true });
    await edits(customer, third, 'stop', at + 3);
    assert.equal(await consentOf(customer), true);
  });

  it('withdraws the consent by an edit whose message stays unknown', async () => {
    const customer = await newCustomer();
    await upsert(customer, { chatapp_marketing: true });
    await majlis.advance(2);
    await edits(customer, `wamid.unknown${customer.digits}`, 'إيقاف', await nowSeconds());
    await eventually(
      async () => {
        await majlis.advance(600);
        return consentOf(customer);
      },
      (consent) => consent === false,
    );
  });

  it('does not undo a newer opt-in by an old word, delivered again or late', async () => {
    const customer = await newCustomer();
    const [at, id] = [await nowSeconds(), `wamid.stop${customer.digits}`];
    await writes(customer, 'stop', at, id);
    assert.equal(await consentOf(customer), false);
    await majlis.advance(60);
    await upsert(customer, { chatapp_marketing: true });
    await writes(customer, 'stop', at, id);
    await writes(customer, 'stop', at + 1);
    assert.equal(await consentOf(customer), true);
    await majlis.advance(60);
    await writes(customer, 'stop');
    assert.equal(await consentOf(customer), false);
  });

  it('stops by a word of the same second as the opt-in', async () => {
    const customer = await newCustomer();
    await upsert(customer, { chatapp_marketing: true });
    const [{ decided_at }] = (await recordsOf(customer)) as [AnyJson];
    await writes(customer, 'stop', Math.floor(Date.parse(decided_at) / 1000));
    assert.equal(await consentOf(customer), false);
  });

  it('is told by the platform of an earlier choice, which changes nothing', async () => {
    const customer = await newCustomer();
    const at = await nowSeconds();
    await writes(customer, 'stop', at);
    await tells(customer, 'resume', at - 5);
    assert.equal(await consentOf(customer), false);
    await tells(customer, 'resume', at + 5);
    assert.equal(await consentOf(customer), true);
  });
});

describe('the words of a workspace', () => {
  it('are set by admins, count at once, and are recorded', async () => {
    const path = '/consent-settings';
    const before = (await owner.at('GET', path)).body;
    assert.ok(before.stop_words.includes('stop') && before.start_words.length === 0, JSON.stringify(before));
    assert.equal((await agent.at('GET', path)).body.code, 'role_insufficient');
    const changed = await owner.at('PATCH', path, { stop_words: ['كفى', 'Enough'], start_words: ['Offers'] });
    assert.deepEqual(changed.body, { stop_words: ['كفى', 'Enough'], start_words: ['Offers'] });
    const customer = await newCustomer();
    await writes(customer, 'stop');
    assert.equal(await consentOf(customer), undefined);
    const at = await nowSeconds();
    const id = `wamid.enough${customer.digits}`;
    await writes(customer, 'كفي', at, id);
    assert.equal(await consentOf(customer), false);
    await majlis.advance(2);
    // A grant takes a message of its own.
    await edits(customer, id, 'offers', at + 1);
    assert.equal(await consentOf(customer), false);
    await writes(customer, 'offers');
    assert.equal(await consentOf(customer), true);
    const [act] = (await owner.at('GET', '/audit?action=changeConsentSettings')).body.data;
    assert.deepEqual(act.details, changed.body);
    assert.equal((await owner.at('PATCH', path, before)).status, 200);
  });

  it('are refused where they cannot count', async () => {
    const refuse = async (body: object, pointer: string) => {
      const refused = await owner.at('PATCH', '/consent-settings', body);
      assert.deepEqual(
        [refused.status, refused.body.errors?.[0]?.pointer],
        [422, pointer],
        JSON.stringify(refused.body),
      );
    };
    await refuse({ stop_words: ['   '] }, '/stop_words');
    await refuse({ stop_words: Array.from({ length: 51 }, (_, n) => `w${n}`) }, '/stop_words');
    await refuse({ start_words: ['x'.repeat(61)] }, '/start_words');
    await refuse({ start_words: ['STOP'] }, '/start_words');
  });

  it('are those of one workspace alone', async () => {
    const other = await majlis.workspace();
    const theirs = await joinWorkspace(majlis, other);
    await theirs.at('PATCH', '/consent-settings', { stop_words: ['hello'] });
    const customer = await newCustomer();
    await writes(customer, 'hello');
    assert.equal(await consentOf(customer), undefined);
    const conversation_id = await receiveText(majlis, other, customer.digits, 'hello');
    const { contact_id } = (await other.api.get(`/conversations/${conversation_id}`)).body;
    const read = async () => (await other.api.get(`/contacts/${contact_id}`)).body.consents.chatapp_marketing;
    await eventually(read, (consent) => consent === false);
  });
});
