import assert from 'node:assert/strict';
import { it } from 'node:test';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { joinWorkspace } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';

// Members of the platform's notifications that are null, missing, or of another type than documented. Nobody's words vanish for them.
const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });

type Json = Record<string, unknown>;
const timestamp = () => String(Math.floor(Date.now() / 1000));
const spaced = (digits: string) => `+${digits.slice(0, 3)} ${digits.slice(3, 7)}-${digits.slice(7)}`;
const echoTo = (to: Json): Json => {
  const id = `wamid.${newDigits()}`;
  return { id, from: '96880000001', timestamp: timestamp(), type: 'text', text: { body: 'Written' }, ...to };
};
const form = (response_json: unknown): Json => {
  return { type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply: { body: 'Written', response_json } } };
};
const inbound = (digits: string, members: Json): Json => ({ messages: [platformText(digits, 'Written', members)] });

/** What arrives, the handle of its conversation, and the last text there. */
const arrivals: [string, (digits: string) => { value: Json; field?: string; handle?: string; text?: string }][] = [
  ['a group of null', (digits) => ({ value: inbound(digits, { group_id: null }) })],
  ['an empty group', (digits) => ({ value: inbound(digits, { group_id: '' }) })],
  ['a type in capitals', (digits) => ({ value: inbound(digits, { type: 'TEXT' }) })],
  [
    'a form whose types are in capitals',
    (digits) => {
      const { interactive } = form('{"guests":4}');
      const members = { type: 'INTERACTIVE', interactive: { ...(interactive as Json), type: 'NFM_REPLY' } };
      return { value: inbound(digits, members), text: 'Written\nguests: 4' };
    },
  ],
  ['a number as a JSON integer', (digits) => ({ value: inbound(digits, { from: Number(digits) }) })],
  ['a number as people write it', (digits) => ({ value: inbound(digits, { from: spaced(digits) }) })],
  [
    'the answers of a form as an object',
    (digits) => ({ value: inbound(digits, form({ guests: 4 })), text: 'Written\nguests: 4' }),
  ],
  [
    'a thread of the history with a JSON integer',
    (digits) => {
      const messages = [platformText(digits, 'Written')];
      return {
        value: { history: [{ metadata: null, threads: [{ id: Number(digits), messages }] }] },
        field: 'history',
      };
    },
  ],
  [
    'an echo to a group of null',
    (digits) => ({ value: { message_echoes: [echoTo({ to: digits, group_id: null })] }, field: 'smb_message_echoes' }),
  ],
  [
    'an echo whose customer the contacts alone name',
    (digits) => {
      const contacts = [{ user_id: `OM.${digits}`, profile: { username: 'salma' } }];
      const value = { contacts, message_echoes: [echoTo({})] };
      return { value, field: 'smb_message_echoes', handle: `OM.${digits}` };
    },
  ],
];
for (const [what, arrive] of arrivals) {
  it(`${what} hides no message`, async () => {
    const workspace = await majlis.workspace();
    const digits = newDigits();
    const { value, field, handle = `+${digits}`, text = 'Written' } = arrive(digits);
    await postNotification(majlis, workspace, value, field);
    await untilNotificationsProcessed(majlis);
    const [conversation] = (await workspace.api.get('/conversations')).body.data;
    assert.equal(conversation?.contact_handle, handle);
    const { data } = (await workspace.api.get(`/conversations/${conversation.id}/messages`)).body;
    assert.deepEqual(
      data.map(({ body }: { body: string }) => body),
      [text],
    );
  });
}

it('a change of number is followed where an empty member stands beside the new number', async () => {
  const workspace = await majlis.workspace();
  const [first, second, third] = [newDigits(), newDigits(), newDigits()];
  await postNotification(majlis, workspace, inbound(first, {}));
  await untilNotificationsProcessed(majlis);
  const changes = [
    [first, { type: 'user_changed_number', wa_id: '', new_wa_id: second, previous_user_id: '' }],
    [second, { type: 'user_changed_number', wa_id: Number(third), user_id: null }],
  ];
  for (const [from, system] of changes) {
    const notice = { id: `wamid.${newDigits()}`, from, timestamp: timestamp(), type: 'system', system };
    await postNotification(majlis, workspace, { messages: [notice] });
    await untilNotificationsProcessed(majlis);
  }
  const { data } = (await workspace.api.get('/conversations')).body;
  assert.deepEqual(
    data.map((one: { contact_handle: string }) => one.contact_handle),
    [`+${third}`],
  );
});

it('a number that a customer gave on request is learned from a JSON integer', async () => {
  const workspace = await majlis.workspace();
  const digits = newDigits();
  const phones = [{ phone: null, wa_id: Number(digits) }];
  const contacts = [{ origin: 'contact_request', name: { formatted_name: 'Salma' }, phones }];
  const members = { from: null, from_user_id: `OM.${digits}`, type: 'contacts', contacts };
  await postNotification(majlis, workspace, inbound('', members));
  await untilNotificationsProcessed(majlis);
  const { data } = (await workspace.api.get(`/contacts?q=${digits}`)).body;
  const identifiers = data[0]?.identities.map((one: { identifier: string }) => one.identifier);
  assert.deepEqual(identifiers, [`+${digits}`]);
});

it('clicks and payments with JSON integers as ids are lines, and no notices', async () => {
  const workspace = await majlis.workspace();
  const admin = await joinWorkspace(majlis, workspace, { role: 'admin' });
  const wa_id = newDigits();
  await postNotification(majlis, workspace, inbound(wa_id, {}));
  await untilNotificationsProcessed(majlis);
  const click = { click_component: 'cta', click_id: 12345 };
  const user_action = { timestamp: Number(timestamp()), marketing_messages_link_click_data: click };
  const payment = { reference_id: 77, amount: { value: '1050', offset: '100' }, currency: 'OMR' };
  const status = { type: 'payment', id: 'wamid.unknown', status: 'captured', timestamp: timestamp() };
  await postNotification(majlis, workspace, {
    contacts: [{ wa_id }],
    user_actions: [{ action_type: 'marketing_messages_link_click', ...user_action }],
    statuses: [{ ...status, recipient_id: wa_id, payment }],
  });
  await untilNotificationsProcessed(majlis);
  assert.deepEqual((await admin.at('GET', '/platform-notices')).body.data, []);
});

it('a call whose customer the contacts alone name opens their window', async () => {
  const workspace = await majlis.workspace();
  const user_id = `OM.${newDigits()}`;
  const call = { id: 'wacid.1', event: 'connect', direction: 'USER_INITIATED', timestamp: timestamp() };
  const contacts = [{ user_id, profile: { name: 'Salma' } }];
  await postNotification(majlis, workspace, { contacts, calls: [call] }, 'calls');
  await untilNotificationsProcessed(majlis);
  const [conversation] = (await workspace.api.get('/conversations')).body.data;
  assert.deepEqual([conversation?.contact_handle, conversation?.contact_name], [user_id, 'Salma']);
  assert.ok(conversation.window_expires_at);
});

it('a handover names the customer by a number as people write it', async () => {
  const workspace = await majlis.workspace();
  const digits = newDigits();
  await postNotification(majlis, workspace, inbound(digits, {}));
  await untilNotificationsProcessed(majlis);
  const sender = { phone_number: spaced(digits) };
  const recipient = { phone_number_id: workspace.phone_number_id };
  const control_passed = { previous_owner_app_role: null, new_owner_app_role: 'meta_business_agent' };
  const notice = { type: 'control_passed', sender, recipient, control_passed, timestamp: timestamp() };
  await postNotification(majlis, workspace, notice, 'messaging_handovers');
  await untilNotificationsProcessed(majlis);
  const [conversation] = (await workspace.api.get('/conversations')).body.data;
  assert.equal(conversation.controller, 'bot');
});

it('the agent of the platform that is named in capitals holds the conversation', async () => {
  const workspace = await majlis.workspace();
  const digits = newDigits();
  await postNotification(majlis, workspace, inbound(digits, {}));
  await untilNotificationsProcessed(majlis);
  const sender = { phone_number: digits };
  const recipient = { phone_number_id: workspace.phone_number_id };
  const control_passed = { previous_owner_app_role: null, new_owner_app_role: 'META_BUSINESS_AGENT' };
  const notice = { type: 'control_passed', sender, recipient, control_passed, timestamp: timestamp() };
  await postNotification(majlis, workspace, notice, 'messaging_handovers');
  await untilNotificationsProcessed(majlis);
  const [conversation] = (await workspace.api.get('/conversations')).body.data;
  assert.equal(conversation.controller, 'bot');
});

it('an opt-out finds its customer in the contacts, and one of an unknown person is kept for administrators', async () => {
  const workspace = await majlis.workspace();
  const admin = await joinWorkspace(majlis, workspace, { role: 'admin' });
  const [digits, stranger] = [newDigits(), newDigits()];
  const identities = [{ channel_type: 'chatapp', identifier: `+${digits}` }];
  const { body } = await workspace.api.post('/contacts', { identities, consents: { chatapp_marketing: true } });
  const stop = { category: 'marketing_messages', value: 'stop', timestamp: Number(timestamp()) + 1 };
  const inCapitals = { ...stop, category: 'MARKETING_MESSAGES', value: 'STOP' };
  for (const [wa_id, preference] of [
    [digits, inCapitals],
    [stranger, stop],
  ]) {
    const value = { contacts: [{ wa_id }], user_preferences: [preference] };
    await postNotification(majlis, workspace, value, 'user_preferences');
  }
  await untilNotificationsProcessed(majlis);
  const known = (await workspace.api.get(`/contacts/${body.id}`)).body;
  assert.deepEqual(known.consents, { chatapp_marketing: false });
  const { data } = (await admin.at('GET', '/platform-notices')).body;
  assert.deepEqual(
    data.map(({ field, reason }: { field: string; reason: string }) => [field, reason]),
    [['user_preferences', 'preference of an unknown person']],
  );
});

it('a message of the history whose numbers are JSON integers is the business’s', async () => {
  const workspace = await majlis.workspace();
  const digits = newDigits();
  const messages = [platformText('', 'Written', { from: 96880000001, to: Number(digits) })];
  await postNotification(majlis, workspace, { history: [{ threads: [{ id: digits, messages }] }] }, 'history');
  await untilNotificationsProcessed(majlis);
  const [conversation] = (await workspace.api.get('/conversations')).body.data;
  const { data } = (await workspace.api.get(`/conversations/${conversation.id}/messages`)).body;
  assert.deepEqual(
    data.map(({ direction }: Json) => direction),
    ['outbound'],
  );
});

it('a call without a direction, or with one in small letters, is of who calls', async () => {
  const workspace = await majlis.workspace();
  const [asked, called, calling] = [newDigits(), newDigits(), newDigits()];
  const call = { event: 'connect', timestamp: timestamp() };
  const calls = [
    { ...call, id: 'wacid.2', from: '96880000001', to: asked },
    { ...call, id: 'wacid.4', from: '96880000001', to: called, direction: 'business_initiated' },
    { ...call, id: 'wacid.3', from: calling, to: '96880000001' },
  ];
  for (const one of calls) await postNotification(majlis, workspace, { calls: [one] }, 'calls');
  await untilNotificationsProcessed(majlis);
  const { data } = (await workspace.api.get('/conversations')).body;
  const windows = data.map((one: Json) => [one.contact_handle, Boolean(one.window_expires_at)]);
  assert.deepEqual(
    windows.toSorted(),
    [
      [`+${asked}`, false],
      [`+${called}`, false],
      [`+${calling}`, true],
    ].toSorted(),
  );
});

it('the address book names who stands there with 00, and nobody by an entry that was removed', async () => {
  const workspace = await majlis.workspace();
  const [named, removed] = [newDigits(), newDigits()];
  const entry = (action: string, phone_number: string) => {
    const contact = { full_name: 'Noor', phone_number };
    return { type: 'contact', action, contact, metadata: { timestamp: timestamp() } };
  };
  for (const digits of [named, removed]) await postNotification(majlis, workspace, inbound(digits, {}));
  await untilNotificationsProcessed(majlis);
  const state_sync = [entry('ADD', `00${named}`), entry('REMOVE', removed)];
  await postNotification(majlis, workspace, { state_sync }, 'smb_app_state_sync');
  await untilNotificationsProcessed(majlis);
  for (const [digits, name] of [
    [named, 'Noor'],
    [removed, undefined],
  ]) {
    assert.equal((await workspace.api.get(`/contacts?q=${digits}`)).body.data[0].name, name);
  }
});

it('the address book names who is written to from the phone first after it', async () => {
  const workspace = await majlis.workspace();
  const digits = newDigits();
  const contact = { full_name: 'Noor', phone_number: digits };
  const state_sync = [{ type: 'contact', action: 'ADD', contact, metadata: { timestamp: timestamp() } }];
  await postNotification(majlis, workspace, { state_sync }, 'smb_app_state_sync');
  await untilNotificationsProcessed(majlis);
  await postNotification(majlis, workspace, { message_echoes: [echoTo({ to: digits })] }, 'smb_message_echoes');
  await untilNotificationsProcessed(majlis);
  const { data } = (await workspace.api.get('/contacts')).body;
  assert.deepEqual([data.length, data[0].name], [1, 'Noor']);
});

it('an edit without a type corrects a text alone; types in capitals and other members for the message are read', async () => {
  const workspace = await majlis.workspace();
  const digits = newDigits();
  const ids = ['edited', 'kept', 'deleted', 'spelt'].map((word) => `wamid.${word}${digits}`);
  const [edited, kept, deleted, spelt] = ids;
  const reports: Json[] = [
    { type: 'edit', edit: { original_message_id: edited, message: { text: { body: 'Corrected' } } } },
    { type: 'edit', edit: { original_message_id: kept, message: { image: { id: '1' } } } },
    { type: 'revoke', revoke: { message_id: deleted } },
    { type: 'EDIT', edit: { original_message_id: spelt, message: { type: 'TEXT', text: { body: 'Spelt' } } } },
  ];
  for (const id of ids) await postNotification(majlis, workspace, inbound(digits, { id }));
  for (const report of reports)
    await postNotification(majlis, workspace, inbound(digits, { text: undefined, ...report }));
  await untilNotificationsProcessed(majlis);
  const [conversation] = (await workspace.api.get('/conversations')).body.data;
  const { data } = (await workspace.api.get(`/conversations/${conversation.id}/messages`)).body;
  assert.deepEqual(data.map(({ body }: Json) => body).toSorted(), ['Corrected', 'Spelt', 'Written', undefined]);
});

it('a message from the number of the business itself makes no contact, nor does a group in the history', async () => {
  const workspace = await majlis.workspace();
  const messages = [platformText('96880000001', 'From itself')];
  await postNotification(majlis, workspace, { messages });
  const said = [platformText('96891230001', 'In a group')];
  await postNotification(
    majlis,
    workspace,
    { history: [{ threads: [{ id: '120363041234567890', messages: said }] }] },
    'history',
  );
  await postNotification(
    majlis,
    workspace,
    { history: [{ threads: [{ id: '96891230001-1612345678', messages: said }] }] },
    'history',
  );
  await untilNotificationsProcessed(majlis);
  const { data } = (await workspace.api.get('/contacts')).body;
  assert.deepEqual(data, []);
});
