import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type Operation, operations } from '@majlis/contract';
import { assertRefused } from '@majlis/testing/assert-refused';
import { type BoundedMember, boundedMembers } from '@majlis/testing/bounded-members';
import { requestOperator } from '@majlis/testing/operator';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';

const bounds = { short: 300, long: 5_000, document: 40_000, list: 200, object: 150 };
const env = {
  SHORT_TEXT_MAX: String(bounds.short),
  LONG_TEXT_MAX: String(bounds.long),
  DOCUMENT_MAX: String(bounds.document),
  LIST_MAX: String(bounds.list),
  OBJECT_MAX: String(bounds.object),
};
const majlis = await startTestService({ env: { RATE_LIMITS: 'off', ...env } });

let workspace: TestWorkspace;
before(async () => {
  workspace = await majlis.workspace();
});

const all: Operation[] = Object.values(operations);
const isRow = ({ pointer }: BoundedMember) => pointer.startsWith('/contacts/0');

/** A value one beyond the bound, and the words of the refusal. */
function beyond({ kind, max_items }: BoundedMember): { value: unknown; detail: string } {
  if (kind === 'list') {
    const most = max_items ?? bounds.list;
    return { value: Array(most + 1).fill('x'), detail: `must not have more than ${most} items` };
  }
  if (kind === 'object') {
    const members = Array.from({ length: bounds.object + 1 }, (_, n) => [`m${n}`, 1]);
    return { value: Object.fromEntries(members), detail: `must not have more than ${bounds.object} members` };
  }
  return { value: 'x'.repeat(bounds[kind] + 1), detail: `must not have more than ${bounds[kind]} characters` };
}

describe('a member beyond its bound is refused by name', () => {
  for (const operation of all.filter(({ body, body_content_type }) => body && !body_content_type)) {
    it(`in the body of ${operation.id}`, async () => {
      for (const member of boundedMembers(operation.body!).filter((one) => !isRow(one))) {
        const { value, detail } = beyond(member);
        const reply = await workspace.api.request(operation.method, pathOf(operation), member.place(value));
        assertRefused(reply, 422, 'unprocessable_content');
        assert.deepEqual(reply.body.errors, [{ detail, pointer: member.pointer }]);
      }
    });
  }

  for (const operation of all.filter(({ query }) => query)) {
    it(`in the query of ${operation.id}`, async () => {
      for (const member of boundedMembers(operation.query!).filter(({ kind }) => kind !== 'object')) {
        const { value, detail } = beyond(member);
        const query = new URLSearchParams(member.place(value) as Record<string, string>);
        const reply = await workspace.api.get(`${pathOf(operation)}?${query}`);
        assertRefused(reply, 422, 'unprocessable_content');
        assert.deepEqual(reply.body.errors, [{ detail, pointer: member.pointer }]);
      }
    });
  }

  it('in a member that the contract does not name, and at any depth', async () => {
    for (const [body, pointer] of [
      [{ surplus: 'x'.repeat(bounds.long + 1) }, '/surplus'],
      [{ consents: { sms: [{ at: 'x'.repeat(bounds.long + 1) }] } }, '/consents/sms/0/at'],
      [{ custom_fields: { 'a/b': Array(bounds.list + 1).fill(1) } }, '/custom_fields/a~1b'],
    ] as const) {
      const reply = await workspace.api.post('/contacts', body);
      assertRefused(reply, 422, 'unprocessable_content');
      assert.deepEqual(
        reply.body.errors.map((error: { pointer: string }) => error.pointer),
        [pointer],
      );
    }
    const named = await workspace.api.post('/contacts', { consents: { ['x'.repeat(bounds.short + 1)]: true } });
    assert.match(named.body.errors[0].detail, /name of more than 300 characters/);
  });

  it('as 404 in a path, since such an id names nothing', async () => {
    assertRefused(await workspace.api.get(`/contacts/ct_${'x'.repeat(bounds.short)}`), 404, 'not_found');
  });
});

it('a row of an import beyond a bound fails alone', async () => {
  const rows = boundedMembers(operations.importContacts.body).filter((one) => isRow(one) && one.kind !== 'object');
  const wrong = rows.map((member) => (member.place(beyond(member).value) as { contacts: object[] }).contacts[0]!);
  const right = { identities: [{ channel_type: 'chatapp', identifier: '+96891234567' }] };
  const contacts = [...wrong.map((row) => ({ ...right, ...row })), right];
  const { body } = await workspace.api.post('/contacts/import', { contacts });
  assert.equal(body.created, 1);
  assert.deepEqual(
    body.failed,
    wrong.map((_, index) => ({ index, code: 'unprocessable_content' })),
  );
});

describe('a file of the operator', () => {
  it('is refused by the member that is beyond its bound', async () => {
    const name = 'x'.repeat(bounds.short + 1);
    for (const [file, pointer] of [
      [{ workspace: { name } }, '/workspace/name'],
      [{ ai_agents: [{ name: 'A', instructions: 'x'.repeat(bounds.long + 1) }] }, '/ai_agents/0/instructions'],
      [
        { workflows: [{ name: 'W', steps: [{ do: 'add_note', text: 'x'.repeat(bounds.long + 1) }] }] },
        '/workflows/0/steps/0/text',
      ],
      [{ users: Array(10_001).fill({}) }, '/users'],
    ] as const) {
      const { status, body } = await requestOperator(majlis.url, 'PUT', '/workspaces', file);
      assert.equal(status, 422);
      assert.equal(body.errors[0].pointer, pointer);
    }
  });
});

function pathOf({ path }: Operation): string {
  return path.slice('/v1'.length).replaceAll(/\{\w+\}/g, 'x');
}
