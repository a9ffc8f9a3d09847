import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { newDigits, untilDispatched } from '@majlis/testing/messages';
import { postNotification, timestampNow, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { seededRandom } from '@majlis/testing/seeded-random';
import { startTestService, type TestWorkspace, templateMessage, templates } from '@majlis/testing/start-test-service';
import { parseId, publicId } from '../src/database/ids.ts';

// The price before the send, and what is booked after the delivery (platform-2026, row 4).
const majlis = await startTestService({
  env: { RATE_LIMITS: 'off' },
  simulator: { delays: { sent_ms: 1, delivered_ms: 2, read_ms: null, review_ms: 10 } },
});
const marketing = { kind: 'template', template: { name: 'spring_sale', language: 'en' } };
const text = { kind: 'text', body: 'Hello' };
/** The usual run sends few. QUOTED_SENDS sends more, for a run of this file alone. */
const quotedSends = Number(process.env.QUOTED_SENDS ?? 60);

interface Desk {
  workspace: TestWorkspace;
  agent: Member;
  supervisor: Member;
}

async function open(prices: object): Promise<Desk> {
  const workspace = await majlis.workspace({ wallet: { balance_minor: 1_000_000, currency: 'OMR' }, ...prices });
  return {
    workspace,
    agent: await joinWorkspace(majlis, workspace, { role: 'agent' }),
    supervisor: await joinWorkspace(majlis, workspace, { role: 'supervisor' }),
  };
}

const quote = async ({ agent }: Desk, body: object) => {
  const { status, body: answer } = await agent.at('POST', '/quote', body);
  assert.equal(status, 200, JSON.stringify(answer));
  return answer;
};
const templateOf = (content: object) => ('template' in content ? { template: content.template } : {});

async function send({ workspace: { api } }: Desk, to: string, content: object): Promise<string> {
  const sent = await api.post('/messages', { to, ...content });
  assert.equal(sent.status, 201, sent.text);
  return sent.body.id;
}

/** The fee that the ledger has for a message, in minor units. */
async function feeOf(message_id: string): Promise<number> {
  const rows = await eventually(
    () =>
      majlis.sql<{ fee: number }>('select -amount_minor::int as fee from ledger_entries where reference = $1', [
        parseId('message', message_id),
      ]),
    ({ length }) => length === 1,
  );
  return rows[0]!.fee;
}

/** A customer writes, so that the window is open here and at the platform. */
async function write({ workspace }: Desk, digits: string, more: object = {}): Promise<void> {
  const wamid = majlis.simulator.inject({
    ...{ phone_number_id: workspace.phone_number_id, from: digits, type: 'text', content: 'Hi' },
    ...more,
  });
  await eventually(
    () => majlis.sql('select 1 from messages where platform_message_id = $1', [wamid]),
    ({ length }) => length === 1,
  );
}

describe('the price of a message', () => {
  let desk: Desk;
  before(async () => {
    desk = await open({
      prices: { utility: 8, marketing: 25 },
      rates: [
        { category: 'marketing', country: 'SA', fee_minor: 45 },
        { category: 'marketing', country: 'SA', from: '2026-01-01', fee_minor: 50 },
        { category: 'marketing', from: '2020-01-01', fee_minor: 30 },
        { category: 'service', fee_minor: 7 },
        { category: 'service', from: '2999-01-01', fee_minor: 99 },
      ],
    });
  });

  it('follows category, country and day, and is what the delivery books', async () => {
    for (const [number, content, fee_minor] of [
      ['+966500000011', marketing, 50],
      ['+96891112233', marketing, 30],
      ['+966500000011', templateMessage, 8],
      ['+96891112233', text, 7],
    ] as const) {
      await desk.workspace.api.post('/contacts', {
        identities: [{ channel_type: 'chatapp', identifier: number }],
        consents: { chatapp_marketing: true },
      });
      await write(desk, number.slice(1));
      const said = await quote(desk, { to: number, ...templateOf(content) });
      assert.deepEqual([said.total_minor, said.currency, said.verdict], [fee_minor, 'OMR', { allowed: true }]);
      assert.equal(await feeOf(await send(desk, number, content)), fee_minor);
    }
  });

  it('is nothing for 72 hours after the answer to a customer who came by an advertisement', async () => {
    const digits = newDigits();
    await write(desk, digits, { referral: { source_type: 'ad', source_id: '1', source_url: 'https://ads.example/1' } });
    for (const content of [text, templateMessage]) {
      const said = await quote(desk, { to: `+${digits}`, ...templateOf(content) });
      assert.deepEqual([said.total_minor, said.in_free_time], [0, 1]);
      assert.equal(await feeOf(await send(desk, `+${digits}`, content)), 0);
    }
    await majlis.advance(73 * 3600);
    const later = await quote(desk, { to: `+${digits}`, ...templateOf(templateMessage) });
    assert.deepEqual([later.total_minor, later.in_free_time], [8, 0]);
    assert.equal(await feeOf(await send(desk, `+${digits}`, templateMessage)), 8);
  });

  it('is nothing for 72 hours after an answer from the phone app, however late the platform reports it', async () => {
    const digits = newDigits();
    const clock = async () => Math.floor(Date.parse((await majlis.operator('GET', '/clock')).body.now) / 1000);
    const begun = await clock();
    await write(desk, digits, { referral: { source_type: 'ad', source_id: '1', source_url: 'https://ads.example/1' } });
    await majlis.advance(25 * 3600);
    const answer = {
      to: digits,
      id: `wamid.${digits}`,
      timestamp: String(begun + 3600),
      type: 'text',
      text: { body: 'Yes' },
    };
    await postNotification(
      majlis,
      desk.workspace,
      { message_echoes: [{ from: '96880000001', ...answer }] },
      'smb_message_echoes',
    );
    await untilNotificationsProcessed(majlis);
    const quoteNow = async () => (await quote(desk, { to: `+${digits}`, ...templateOf(templateMessage) })).total_minor;
    assert.equal(await quoteNow(), 0);
    await majlis.advance(begun + 73 * 3600 - 60 - (await clock()));
    assert.equal(await quoteNow(), 0);
    await majlis.advance(120);
    assert.equal(await quoteNow(), 8);
  });

  it('is not free by an answer from the phone app that was written before the advertisement', async () => {
    const digits = newDigits();
    const begun = Number(await timestampNow(majlis));
    await write(desk, digits, { referral: { source_type: 'ad', source_id: '1', source_url: 'https://ads.example/1' } });
    const early = { to: digits, id: `wamid.${digits}`, timestamp: String(begun - 3600), type: 'text' };
    const message_echoes = [{ from: '96880000001', ...early, text: { body: 'Good morning' } }];
    await postNotification(majlis, desk.workspace, { message_echoes }, 'smb_message_echoes');
    await untilNotificationsProcessed(majlis);
    await majlis.advance(25 * 3600);
    const said = await quote(desk, { to: `+${digits}`, ...templateOf(templateMessage) });
    assert.deepEqual([said.total_minor, said.in_free_time], [8, 0]);
  });

  it('comes with the reason for which the message would be refused', async () => {
    const { verdict, total_minor } = await quote(desk, { to: `+${newDigits()}` });
    assert.deepEqual([verdict.code, total_minor], ['window_closed', 7]);
    const template = { name: 'none', language: 'en' };
    const unknown = await desk.agent.at('POST', '/quote', { to: '+96891112233', template });
    assert.deepEqual([unknown.status, unknown.body.code], [422, 'template_not_found']);
    for (const body of [{}, { to: 'x' }, { conversation_id: 'cv_x' }, { audience: { tags: ['vip'] } }]) {
      const { status } = await desk.agent.at('POST', '/quote', body);
      assert.ok([403, 404, 422].includes(status), JSON.stringify(body));
    }
  });
});

describe('a free allowance', () => {
  it('counts by number and calendar month of the number’s zone, and gives the places of failed messages to others', async () => {
    const desk = await open({
      prices: { service: 7 },
      allowances: [{ category: 'service', messages: 2 }],
    });
    const digits = newDigits();
    await write(desk, digits);
    const fees = [];
    for (let n = 0; n < 3; n++) {
      const { total_minor } = await quote(desk, { to: `+${digits}` });
      fees.push([total_minor, await feeOf(await send(desk, `+${digits}`, text))]);
    }
    assert.deepEqual(fees, [
      [0, 0],
      [0, 0],
      [7, 7],
    ]);
    const failing = '15559131026';
    const other = await open({ prices: { service: 7 }, allowances: [{ category: 'service', messages: 1 }] });
    await write(other, failing);
    const failed = await send(other, `+${failing}`, text);
    assert.equal((await quote(other, { to: `+${failing}` })).total_minor, 7);
    await eventually(
      async () => (await other.workspace.api.get(`/messages/${failed}`)).body.status,
      (status) => status === 'failed',
    );
    assert.equal((await quote(other, { to: `+${failing}` })).total_minor, 0);
  });

  it('equals what is booked for mixed sends over a change of month', async () => {
    const clock = async () => Date.parse((await majlis.operator('GET', '/clock')).body.now);
    const hour = 3_600_000;
    // The end of a month in Muscat that is two hours away at least: a session does not outlive a move by a month.
    const later = new Date((await clock()) + 6 * hour);
    const end = Date.UTC(later.getUTCFullYear(), later.getUTCMonth() + 1, 1) - 4 * hour;
    const moveBefore = async (ms: number) => majlis.advance(Math.floor((end - ms - (await clock())) / 1000));
    // The clock goes on while messages are sent.
    const sending = 60_000 + quotedSends * 100;
    await moveBefore(sending + hour / 2);
    const desk = await open({
      prices: { service: 7, utility: 8, marketing: 25 },
      rates: [{ category: 'utility', country: 'SA', fee_minor: 11 }],
      allowances: [
        { category: 'service', messages: Math.floor(quotedSends / 5) },
        { category: 'utility', messages: Math.floor(quotedSends / 12) },
      ],
    });
    const random = seededRandom();
    const people = [...Array.from({ length: 6 }, () => newDigits()), '966500000021', '966500000022'];
    for (const digits of people) {
      await desk.workspace.api.post('/contacts', {
        identities: [{ channel_type: 'chatapp', identifier: `+${digits}` }],
        consents: { chatapp_marketing: true },
      });
    }
    const quoted = new Map<string, number>();
    const sendSome = async (count: number) => {
      for (let n = 0; n < count; n++) {
        const to = `+${random.pick(people)}`;
        const content = random.pick([text, text, templateMessage, marketing]);
        const said = await quote(desk, { to, ...templateOf(content) });
        quoted.set(await send(desk, to, content), said.total_minor);
      }
    };
    // The last minutes of the month. What is under way at its end stays a message of this month.
    await moveBefore(sending);
    const referral = { source_type: 'ad', source_id: '1', source_url: 'https://ads.example/1' };
    for (const [n, digits] of people.entries()) await write(desk, digits, n === 0 ? { referral } : {});
    await sendSome(quotedSends / 2);
    assert.ok((await clock()) < end);
    await majlis.advance(Math.ceil((end - (await clock())) / 1000) + 60);
    await sendSome(quotedSends / 2);
    await untilDispatched(majlis);
    const booked = await eventually(
      () =>
        majlis.sql<{ reference: string; fee: number }>(
          'select reference, -amount_minor::int as fee from ledger_entries where reference = any ($1)',
          [[...quoted.keys()].map((id) => parseId('message', id))],
        ),
      ({ length }) => length === quoted.size,
      60_000,
    );
    const fees = booked.map(({ reference, fee }) => [publicId('message', reference), fee] as const);
    assert.deepEqual(new Map(fees), quoted);
    const prices = new Set(quoted.values());
    assert.ok(prices.has(0) && prices.has(25));
  });
});

describe('the price of an audience', () => {
  it('is that of its messages, and is told to supervisors', async () => {
    const desk = await open({ prices: { utility: 8 }, allowances: [{ category: 'utility', messages: 1 }] });
    const recipients = Array.from({ length: 3 }, () => ({ to: `+${newDigits()}`, params: ['Muna', 'A-1'] }));
    const body = { template: { name: templates[0]!.name, language: 'en' }, audience: { recipients } };
    const refused = await desk.agent.at('POST', '/quote', body);
    assert.deepEqual([refused.status, refused.body.code], [403, 'role_insufficient']);
    const limited = await joinWorkspace(majlis, desk.workspace, { role: 'supervisor' });
    const owner = await joinWorkspace(majlis, desk.workspace);
    await owner.at('PATCH', `/members/${limited.user_id}`, { own_teams_only: true });
    assert.equal((await limited.at('POST', '/quote', body)).status, 403);
    const { body: said } = await desk.supervisor.at('POST', '/quote', body);
    assert.deepEqual([said.messages, said.in_allowance, said.total_minor], [3, 1, 16]);
    assert.deepEqual(said.charges, [{ category: 'utility', messages: 2, fee_minor: 8 }]);
  });
});

describe('marketing templates', () => {
  it('by their own path are quoted at the price of that path, which the delivery books', async () => {
    const rates = [
      { category: 'marketing', fee_minor: 30 },
      { category: 'marketing_lite', fee_minor: 20 },
    ];
    const desk = await open({ rates });
    const { phone_number_id, applied, api } = desk.workspace;
    const file = {
      workspace: { name: applied.workspace.name },
      channels: [{ phone_number_id, marketing_route: 'marketing_messages' }],
    };
    assert.equal((await majlis.operator('PUT', '/workspaces', file)).status, 200);
    const to = `+${newDigits()}`;
    const identities = [{ channel_type: 'chatapp', identifier: to }];
    await api.post('/contacts', { identities, consents: { chatapp_marketing: true } });
    assert.equal((await quote(desk, { to, ...templateOf(marketing) })).total_minor, 20);
    assert.equal(await feeOf(await send(desk, to, marketing)), 20);
  });

  it('leave by their own path once the operator has switched the channel', async () => {
    const workspace = await majlis.workspace();
    const to = `+${newDigits()}`;
    await workspace.api.post('/contacts', {
      identities: [{ channel_type: 'chatapp', identifier: to }],
      consents: { chatapp_marketing: true },
    });
    const routeOf = async (content: object) => {
      const { id } = (await workspace.api.post('/messages', { to, ...content })).body;
      const entry = await eventually(
        () => majlis.simulator.ledger().find(({ biz_opaque_callback_data }) => biz_opaque_callback_data === id),
        (found) => found !== undefined,
      );
      return entry!.route;
    };
    assert.equal(await routeOf(marketing), 'messages');
    const { phone_number_id, waba_id, applied } = workspace;
    const file = {
      workspace: { name: applied.workspace.name },
      channels: [{ phone_number_id, marketing_route: 'marketing_messages' }],
    };
    assert.equal((await majlis.operator('PUT', '/workspaces', file)).status, 200);
    assert.deepEqual([await routeOf(marketing), await routeOf(templateMessage)], ['marketing_messages', 'messages']);
    // The category as it is now decides, and a coming one does not.
    const [id] = (
      await majlis.sql<{ id: string }>(
        "select platform_template_id as id from templates where waba_id = $1 and name = 'spring_sale'",
        [waba_id],
      )
    ).map((row) => row.id);
    const report = (value: Record<string, unknown>) =>
      postNotification(majlis, workspace, value, 'template_category_update');
    const named = { message_template_id: id, message_template_name: 'spring_sale', message_template_language: 'en' };
    await report({ ...named, new_category: 'MARKETING', correct_category: 'UTILITY' });
    await untilNotificationsProcessed(majlis);
    assert.equal(await routeOf(marketing), 'marketing_messages');
  });
});
