import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ConformOptions } from '@majlis/conform';
import { checkConformance, printReport, type Report } from '@majlis/conform';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startFalsifier } from '@majlis/testing/start-falsifier';
import { runMajlis } from '@majlis/testing/start-process';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';

const majlis = await startTestService();
const people = {
  users: [{ name: 'Omar Ali', email: 'omar@acme.example' }],
  teams: [{ name: 'Sales', members: ['omar@acme.example'] }],
  stages: [{ name: 'Customer' }, { name: 'Regular' }],
  ai_agents: [{ name: 'Concierge' }],
  workflows: [{ name: 'Welcome', trigger: 'api_call' }],
};

/** What needs --limits, or would change the workspace for good. */
const unchecked = [
  'media.too_large.video',
  'media.too_large.audio',
  'media.too_large.document',
  'operations.createCustomField',
  'operations.startWorkflowRun',
  'operations.addKnowledgeSource',
  'limits.exceeded',
  'answers.rate_limited',
];

const idsOf = ({ clauses }: Report, wanted: string) =>
  clauses.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);

/** Everything that the suite can be given, and a customer who has written. */
async function prepare(): Promise<{ options: ConformOptions; digits: string; workspace: TestWorkspace }> {
  const workspace = await majlis.workspace(people);
  const { key: second_key } = await majlis.workspace();
  const digits = newDigits();
  await receiveMessage(majlis, workspace, digits);
  const options = {
    url: majlis.url,
    key: workspace.key,
    second_key,
    to: `+${digits}`,
    webhook_port: 0,
    templates: true,
    reply_seconds: 30,
  };
  return { options, digits, workspace };
}

describe('the conformance suite', () => {
  it('finds nothing broken here, checks all that it is given what for, and takes away what it made', async () => {
    const { options, digits, workspace } = await prepare();
    const { api, phone_number_id } = workspace;
    const conversations = async () => (await api.get('/conversations')).body.data;
    const [before] = await conversations();
    let writes = true;
    const customer = eventually(
      async () => {
        // Writes once the endpoint listens that it is to be told to.
        const { data } = (await api.get('/webhook-endpoints')).body;
        const isHeard = data.some(({ url, events }: AnyJson) => url.startsWith('http://127') && events.includes('*'));
        if (isHeard) majlis.simulator.inject({ phone_number_id, from: digits, type: 'text', content: 'Hello again' });
        return isHeard || !writes;
      },
      (done) => done,
      60_000,
    );
    const report = await checkConformance(options).finally(() => {
      writes = false;
    });
    await customer;
    assert.deepEqual(idsOf(report, 'broken'), [], printReport(report));
    assert.deepEqual(idsOf(report, 'not checked'), unchecked, printReport(report));
    const { data: contacts } = (await api.get('/contacts?q=conform')).body;
    assert.deepEqual(contacts, []);
    assert.deepEqual((await api.get('/webhook-endpoints')).body.data, []);
    const after = (await api.get(`/conversations/${before.id}`)).body;
    const kept = ({ status, controller, assignee_id, stage_id }: AnyJson) => [
      status,
      controller,
      assignee_id,
      stage_id,
    ];
    assert.deepEqual(kept(after), kept(before));
    assert.match(report.leaves.join('\n'), /^messages to \+968/);
    const again = await checkConformance({ ...options, reply_seconds: 0, templates: false, only: ['conversations'] });
    assert.deepEqual(idsOf(again, 'holds').length, again.clauses.length, printReport(again));
  });

  it('finds nothing broken with a key alone, and writes to nobody', async () => {
    const { key } = await majlis.workspace();
    const sent = majlis.simulator.ledger().length;
    const report = await checkConformance({ url: `${majlis.url}/v1/`, key });
    assert.deepEqual(idsOf(report, 'broken'), [], printReport(report));
    assert.ok(idsOf(report, 'holds').length > 90, printReport(report));
    assert.equal(majlis.simulator.ledger().length, sent);
  });

  it('finds nothing broken where what is coming soon is off, and leaves contacts behind by name alone', async () => {
    const other = await majlis.another({ COMING_SOON: 'off' });
    const { options } = await prepare();
    const report = await checkConformance({ ...options, url: other.url });
    assert.deepEqual(idsOf(report, 'broken'), [], printReport(report));
    assert.ok(
      report.leaves.some((one) => /^contact ct_\w+, named conform-/.test(one)),
      printReport(report),
    );
  });

  it('meets the limit of requests where it is told to', async () => {
    const { key } = await majlis.workspace();
    const report = await checkConformance({ url: majlis.url, key, limits: true, only: ['limits', 'answers'] });
    assert.deepEqual(
      report.clauses.filter(({ verdict }) => verdict !== 'holds'),
      [],
      printReport(report),
    );
    const lifted = await majlis.another({ RATE_LIMITS: 'off' });
    const boundless = await checkConformance({ url: lifted.url, key, limits: true, only: ['limits'] });
    assert.deepEqual(idsOf(boundless, 'broken'), ['limits.exceeded'], printReport(boundless));
  });

  it('finds nothing broken where a key has no scopes', async () => {
    const { key } = await majlis.workspace({ api_keys: [{ name: 'reader', scopes: [] }] });
    const report = await checkConformance({ url: majlis.url, key });
    assert.deepEqual(idsOf(report, 'broken'), [], printReport(report));
  });
});

describe('majlis conform', () => {
  it('ends with 0 where nothing is broken, and prints each clause', async () => {
    const { key } = await majlis.workspace();
    const args = ['conform', '--url', majlis.url, '--key', key, '--only', 'workspace', 'paging'];
    const { code, stdout } = await runMajlis(args);
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^ {2}holds {8}paging\.all_pages: /m);
    assert.match(stdout, /^\d+ hold, 0 broken, \d+ not checked$/m);
  });

  it('ends with 1 where a clause is broken, and prints what was expected and what came', async () => {
    const { key } = await majlis.workspace();
    const url = await startFalsifier(majlis.url, {
      key,
      falsify: (answer) => {
        if (answer.path === '/v1/wallet') answer.body.balance_minor = 'nothing';
      },
    });
    const { code, stdout } = await runMajlis(['conform', '--url', url, '--only', 'operations', '--json'], {
      env: { MAJLIS_KEY: key },
    });
    assert.equal(code, 1, stdout);
    const { clauses } = JSON.parse(stdout) as Report;
    const [broken, ...others] = clauses.filter(({ verdict }) => verdict === 'broken');
    assert.deepEqual([broken!.id, broken!.expected, others], ['operations.getWallet', 'the documented schema', []]);
    assert.match(broken!.came!, /^\/balance_minor must be integer in 200 /);
    assert.doesNotMatch(stdout, new RegExp(key));
  });

  it('ends with 2 and one line where there is nothing to judge', async () => {
    const { key } = await majlis.workspace();
    for (const [args, line] of [
      [
        ['--url', 'http://127.0.0.1:49', '--key', key],
        /^majlis: no service answers at http:\/\/127\.0\.0\.1:49: \S+\n$/,
      ],
      [['--url', majlis.url, '--key', 'mj_nobody'], /^majlis: the service at \S+ refuses the key\n$/],
      [['--url', majlis.url, '--key', key, '--only', 'everything'], /^majlis: there is no area everything: /],
    ] as const) {
      const { code, stderr } = await runMajlis(['conform', ...args]);
      assert.equal(code, 2, stderr);
      assert.match(stderr, line);
    }
  });
});
