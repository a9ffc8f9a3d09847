import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Wallet } from '@majlis/contract';
import { eventually } from '@majlis/testing/eventually';
import fc from '@majlis/testing/fast-check';
import { platformStatus, postNotification, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { acceptSend, startScriptedPlatform } from '@majlis/testing/scripted-platform';
import { sendTexts } from '@majlis/testing/send-texts';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { Value } from 'typebox/value';
import { parseId } from '../src/database/ids.ts';

// The platform takes every send and says no more: all statuses come from the tests, through three services at once.
const platform = await startScriptedPlatform();
const majlis = await startTestService({
  env: { CHATAPP_API_URL: platform.api_url, RATE_LIMITS: 'off', DATABASE_POOL_SIZE: '4' },
});
const services = [majlis, await majlis.another(), await majlis.another()];
const wallet = { balance_minor: 500_000, currency: 'OMR' };
const prices = { marketing: 25, marketing_lite: 20, utility: 8, authentication: 6, service: 0 };

type Pricing = { billable?: boolean | number | string; pricing_model?: string; type?: string; category?: string };
const utility: Pricing = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' };

async function balanceOf({ api }: TestWorkspace): Promise<number> {
  const reply = await api.get('/wallet');
  assert.equal(reply.status, 200);
  assert.ok(Value.Check(Wallet, reply.body));
  return reply.body.balance_minor;
}

interface Entry {
  kind: string;
  category: string | null;
  amount_minor: number;
}

async function ledgerOf({ id }: TestWorkspace): Promise<Entry[]> {
  const entries = await majlis.sql<Entry & { amount_minor: string }>(
    'select kind, category, amount_minor from ledger_entries where workspace_id = $1 order by created_at, reference',
    [parseId('workspace', id)],
  );
  return entries.map((entry) => ({ ...entry, amount_minor: Number(entry.amount_minor) }));
}

/** Read in one statement, as fees may be booked meanwhile: at any moment the balance is what the ledger adds up to. */
async function assertBooksAgree({ id }: TestWorkspace): Promise<void> {
  const [books] = await majlis.sql<{ balance: string; sum: string }>(
    `select balance_minor::text as balance,
       (select sum(amount_minor) from ledger_entries l where l.workspace_id = w.workspace_id)::text as sum
     from wallets w where workspace_id = $1`,
    [parseId('workspace', id)],
  );
  assert.equal(books!.balance, books!.sum);
}

/** The balance that is shown is what the ledger adds up to, once all is booked. */
async function assertBalanced(workspace: TestWorkspace): Promise<void> {
  const sum = (await ledgerOf(workspace)).reduce((all, { amount_minor }) => all + amount_minor, 0);
  assert.equal(await balanceOf(workspace), sum);
}

/** Reports statuses of new messages, each list one after the other. */
async function report(workspace: TestWorkspace, courses: [string, Pricing | undefined, object?][][]): Promise<void> {
  const messages = await sendTexts(majlis, workspace, courses.length);
  for (let step = 0; step < Math.max(...courses.map(({ length }) => length)); step++) {
    const statuses = courses.flatMap((course, n) =>
      course.slice(step, step + 1).map(([status, pricing, more]) => {
        return platformStatus(messages[n]!.wamid, status, { ...(pricing && { pricing }), ...more });
      }),
    );
    await postNotification(services[step % 3]!, workspace, { statuses });
    await untilNotificationsProcessed(majlis);
  }
}

describe('the wallet', () => {
  it('is empty and without a currency where the operator gave none', async () => {
    const { api } = await majlis.workspace();
    assert.deepEqual((await api.get('/wallet')).body, { balance_minor: 0 });
  });

  it('has the operator’s balance, beyond 32 bits and below zero, as an integer', async () => {
    for (const balance_minor of [9_000_000_000_000_000, -3_000_000_000, 0]) {
      const { api } = await majlis.workspace({ wallet: { balance_minor, currency: 'KWD' } });
      assert.equal((await api.get('/wallet')).text, `{"balance_minor":${balance_minor},"currency":"KWD"}`);
    }
  });

  it('keeps what fees have made of it when the same file is applied again', async () => {
    const workspace = await majlis.workspace({ wallet, prices });
    const { name } = workspace.applied.workspace;
    const apply = (file: object) => majlis.operator('PUT', '/workspaces', { workspace: { name }, ...file });
    await report(workspace, [[['delivered', utility]]]);
    assert.equal(await balanceOf(workspace), 499_992);
    await apply({ wallet, prices });
    await apply({});
    await apply({ wallet: { ...wallet, currency: 'KWD' } });
    assert.equal(await balanceOf(workspace), 499_992);
    await apply({ wallet: { ...wallet, balance_minor: 600_000 } });
    assert.equal(await balanceOf(workspace), 600_000);
    await apply({ wallet: { balance_minor: 600_000, currency: 'USD' } });
    assert.deepEqual((await workspace.api.get('/wallet')).body, { balance_minor: 600_000, currency: 'USD' });
    await report(workspace, [[['delivered', utility]]]);
    await apply({ prices: { utility: 9 } });
    await report(workspace, [[['delivered', utility]]]);
    assert.equal(await balanceOf(workspace), 600_000 - 8 - 9);
    const amounts = (await ledgerOf(workspace)).map(({ kind, amount_minor }) => [kind, amount_minor]);
    assert.deepEqual(amounts, [
      ['adjustment', 500_000],
      ['conversation_fee', -8],
      ['adjustment', 100_008],
      ['conversation_fee', -8],
      ['conversation_fee', -9],
    ]);
  });

  it('refuses a price that is none', async () => {
    const workspace = { name: 'Prices' };
    for (const price of [-1, 0.5, '8', null]) {
      const { status, body } = await majlis.operator('PUT', '/workspaces', { workspace, prices: { utility: price } });
      assert.deepEqual([status, body.errors[0].pointer], [422, '/prices/utility']);
    }
  });
});

describe('a fee', () => {
  it('is drawn once a message is delivered, by the price that was told with that status or before', async () => {
    const courses: [string, Pricing | undefined][][] = [
      [['delivered', utility]],
      [['read', utility]],
      [['played', utility]],
      [
        ['sent', utility],
        ['delivered', undefined],
      ],
      [
        ['sent', utility],
        ['delivered', utility],
        ['read', undefined],
      ],
      [
        ['sent', utility],
        ['read', utility],
        ['delivered', utility],
      ],
      [
        ['delivered', undefined],
        ['read', utility],
      ],
      [
        ['read', undefined],
        ['sent', utility],
      ],
      [
        ['failed', undefined],
        ['delivered', utility],
      ],
      [
        ['delivered', utility],
        ['failed', undefined],
        ['delivered', utility],
      ],
    ];
    for (const course of courses) {
      const workspace = await majlis.workspace({ wallet, prices });
      await report(workspace, [course]);
      assert.equal(await balanceOf(workspace), 499_992, JSON.stringify(course));
      await assertBalanced(workspace);
    }
  });

  it('is of the last word on the price, until it is due', async () => {
    const workspace = await majlis.workspace({ wallet, prices });
    const marketing = { ...utility, category: 'marketing' };
    await report(workspace, [
      [
        ['sent', utility],
        ['delivered', marketing],
        ['read', utility],
      ],
      [
        ['sent', { ...utility, billable: false }],
        ['delivered', utility],
      ],
      [
        ['delivered', utility],
        ['sent', marketing],
      ],
    ]);
    assert.equal(await balanceOf(workspace), 500_000 - 25 - 8 - 8);
  });

  it('is drawn though its report came before the answer to the send was stored', async () => {
    const workspace = await majlis.workspace({ wallet, prices });
    const wamid = `wamid.early-${workspace.id}`;
    platform.script(async (call) => {
      await postNotification(majlis, workspace, {
        statuses: [platformStatus(wamid, 'delivered', { pricing: utility })],
      });
      await untilNotificationsProcessed(majlis);
      acceptSend(call, wamid);
    });
    await sendTexts(majlis, workspace, 1);
    platform.script(acceptSend);
    assert.equal(await balanceOf(workspace), 500_000);
    await majlis.advance(20);
    await eventually(
      () => balanceOf(workspace),
      (balance) => balance === 499_992,
    );
    await assertBalanced(workspace);
  });

  it('is not drawn before, nor for a message that failed, nor without a word on its price', async () => {
    const workspace = await majlis.workspace({ wallet, prices });
    await report(workspace, [
      [['sent', utility]],
      [
        ['sent', utility],
        ['failed', undefined],
      ],
      [
        ['sent', undefined],
        ['delivered', undefined],
        ['read', undefined],
      ],
      [['delivered', { billable: true }]],
    ]);
    assert.equal(await balanceOf(workspace), 500_000);
    assert.equal((await ledgerOf(workspace)).length, 1);
  });

  it('follows the category, its variants and the platform’s word on what is free', async () => {
    const workspace = await majlis.workspace({ wallet: { balance_minor: 20, currency: 'OMR' }, prices });
    await report(workspace, [
      [['delivered', { ...utility, category: 'marketing' }]],
      [['delivered', { ...utility, category: 'marketing_lite' }]],
      [['delivered', { ...utility, category: 'group_marketing' }]],
      [['delivered', { ...utility, category: 'authentication-international' }]],
      [['delivered', { ...utility, category: 'referral_conversion' }]],
      [['delivered', { ...utility, billable: false }]],
      [['delivered', { ...utility, billable: 'false' }]],
      [['delivered', { ...utility, billable: 'FALSE' }]],
      [['delivered', { ...utility, billable: 0 }]],
      [['delivered', { ...utility, type: 'FREE_ENTRY_POINT' }]],
      [['delivered', { ...utility, type: ' Free_Entry_Point ', category: ' Utility ' }]],
      [['delivered', { category: 'utility', type: 'free_customer_service' }]],
      [['delivered', { category: 'service', billable: true }]],
    ]);
    const entries = (await ledgerOf(workspace)).filter(({ kind }) => kind === 'conversation_fee');
    const drawn = entries.map(({ category, amount_minor }) => `${category} ${-amount_minor}`).sort();
    assert.deepEqual(drawn, [
      'authentication_international 6',
      'group_marketing 25',
      'marketing 25',
      'marketing_lite 20',
      'referral_conversion 0',
      'service 0',
      'utility 0',
      'utility 0',
      'utility 0',
      'utility 0',
      'utility 0',
      'utility 0',
      'utility 0',
    ]);
    assert.equal(await balanceOf(workspace), 20 - 76, 'below zero');
  });

  it('is none where the operator gave no prices, and the conversation is on record all the same', async () => {
    const workspace = await majlis.workspace();
    await report(workspace, [[['delivered', utility]]]);
    assert.deepEqual(await ledgerOf(workspace), [{ kind: 'conversation_fee', category: 'utility', amount_minor: 0 }]);
    assert.deepEqual((await workspace.api.get('/wallet')).body, { balance_minor: 0 });
  });

  it('is owed where the operator gave prices and no wallet', async () => {
    const workspace = await majlis.workspace({ prices });
    await report(workspace, [[['delivered', utility]], [['delivered', utility]]]);
    assert.deepEqual((await workspace.api.get('/wallet')).body, { balance_minor: -16 });
  });

  it('is drawn once for a conversation where the platform charges by those', async () => {
    const workspace = await majlis.workspace({ wallet, prices });
    const byConversation = { ...utility, pricing_model: 'CBP' };
    const of = (id: string) => ({ conversation: { id, origin: { type: 'utility' } } });
    await report(workspace, [
      [['delivered', byConversation, of('first')]],
      [
        ['sent', byConversation, of('first')],
        ['read', undefined],
      ],
      [['delivered', byConversation, of('second')]],
      [['delivered', byConversation]],
      [['delivered', utility, of('first')]],
    ]);
    assert.equal(await balanceOf(workspace), 500_000 - 4 * 8);
  });

  it('of another workspace’s message touches no wallet', async () => {
    const [workspace, stranger] = [
      await majlis.workspace({ wallet, prices }),
      await majlis.workspace({ wallet, prices }),
    ];
    const [sent] = await sendTexts(majlis, workspace, 1);
    const more = { pricing: utility, biz_opaque_callback_data: sent!.id };
    await postNotification(majlis, stranger, { statuses: [platformStatus(sent!.wamid, 'delivered', more)] });
    await untilNotificationsProcessed(majlis);
    assert.deepEqual([await balanceOf(workspace), await balanceOf(stranger)], [500_000, 500_000]);
  });

  it('names nobody in the books', async () => {
    const workspace = await majlis.workspace({ wallet, prices });
    await report(workspace, [
      [['delivered', { ...utility, pricing_model: 'CBP' }, { conversation: { id: '96891234567' } }]],
    ]);
    const rows = await majlis.sql('select l::text from ledger_entries l where workspace_id = $1', [
      parseId('workspace', workspace.id),
    ]);
    assert.ok(rows.length > 0 && !JSON.stringify(rows).includes('96891234567'));
  });
});

it('whatever order, repeats and crowd reports come in, each message is charged once, and the books balance', async () => {
  const workspaces = await Promise.all([1, 2].map(() => majlis.workspace({ wallet, prices })));
  const expected = new Map(workspaces.map((workspace) => [workspace, 500_000]));
  const all: { workspace: TestWorkspace; status: object }[] = [];
  for (const workspace of workspaces) {
    const messages = await sendTexts(majlis, workspace, 80);
    const categories = fc.constantFrom('marketing', 'utility', 'authentication' as const);
    const statuses = fc.array(fc.constantFrom('sent', 'delivered', 'read'), { minLength: 1, maxLength: 6 });
    const courses = fc.sample(fc.tuple(categories, statuses), { seed: 11, numRuns: messages.length });
    for (const [n, [category, course]] of courses.entries()) {
      const pricing = { ...utility, category };
      all.push(
        ...course.map((status) => ({ workspace, status: platformStatus(messages[n]!.wamid, status, { pricing }) })),
      );
      const isCharged = course.some((status) => status !== 'sent');
      if (isCharged) expected.set(workspace, expected.get(workspace)! - prices[category as 'utility']);
    }
  }
  const [shuffled] = fc.sample(fc.shuffledSubarray(all, { minLength: all.length }), { numRuns: 1, seed: 5 });
  const notices = shuffled!.map(({ workspace, status }, n) =>
    postNotification(services[n % 3]!, workspace, { statuses: [status] }),
  );
  // The operator's files come in between, and change nothing.
  const applied = workspaces.flatMap(({ applied: { workspace } }) =>
    Array.from({ length: 5 }, (_, n) =>
      services[n % 3]!.operator('PUT', '/workspaces', { workspace: { name: workspace.name }, wallet, prices }),
    ),
  );
  for (const { status } of await Promise.all(applied)) assert.equal(status, 200);
  for (const workspace of workspaces) await assertBooksAgree(workspace);
  await Promise.all(notices);
  await untilNotificationsProcessed(majlis);
  for (const workspace of workspaces) {
    assert.equal(await balanceOf(workspace), expected.get(workspace));
    await assertBalanced(workspace);
  }
});

it('adjustments in the middle of a crowd of fees leave books that balance', async () => {
  const workspace = await majlis.workspace({ wallet, prices });
  const { name } = workspace.applied.workspace;
  const messages = await sendTexts(majlis, workspace, 120);
  await Promise.all([
    ...messages.map(({ wamid }, n) =>
      postNotification(services[n % 3]!, workspace, {
        statuses: [platformStatus(wamid, 'delivered', { pricing: utility })],
      }),
    ),
    ...Array.from({ length: 12 }, (_, n) =>
      services[n % 3]!.operator('PUT', '/workspaces', {
        workspace: { name },
        wallet: { ...wallet, balance_minor: 1_000_000 + n },
      }),
    ),
  ]);
  await untilNotificationsProcessed(majlis);
  await assertBalanced(workspace);
  const fees = (await ledgerOf(workspace)).filter(({ kind }) => kind === 'conversation_fee');
  assert.deepEqual([fees.length, new Set(fees.map(({ amount_minor }) => amount_minor))], [120, new Set([-8])]);
});
