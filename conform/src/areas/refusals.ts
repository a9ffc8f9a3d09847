import { idPrefixes, type Operation, operations } from '@majlis/contract';
import type { ApiCall } from '../api-client.ts';
import { describeResponse } from '../api-response.ts';
import { defineArea } from '../clause.ts';
import { sharedContact } from '../contact-fixtures.ts';
import { anyRefusal, expectRefusal, type Session } from '../session.ts';
import { assertThat, NotChecked } from '../verdict.ts';

const unknownIdPart = '00000000000000000000000000';
const unknownIds: Record<string, string> = Object.fromEntries(
  [
    ['message_id', idPrefixes.message],
    ['conversation_id', idPrefixes.conversation],
    ['contact_id', idPrefixes.contact],
    ['template_id', idPrefixes.template],
    ['channel_id', idPrefixes.channel],
    ['user_id', idPrefixes.user],
    ['workflow_id', idPrefixes.workflow],
    ['broadcast_id', idPrefixes.broadcast],
    ['media_id', idPrefixes.media],
    ['endpoint_id', idPrefixes.webhook_endpoint],
  ].map(([name, prefix]) => [name!, `${prefix}${unknownIdPart}`]),
);

/** Operations for which the contract lists 404. */
const operationsWith404 = [
  'getMessage',
  'getConversation',
  'getContact',
  'updateContact',
  'getChannel',
  'downloadMedia',
] as const;

export const refusalsArea = defineArea('refusals', [
  ...operationsWith404.map((id) => {
    const { method, path } = operations[id];
    const body = id === 'updateContact' ? { vip: true } : undefined;
    const check = (session: Session) =>
      expectRefusal(session, id, { params: unknownIds, ...(body && { body }) }, [404]).then(() => undefined);
    return [
      `unknown_id.${id}`,
      `404 is not found in this workspace: ${method} ${path} with an unknown id.`,
      check,
    ] as const;
  }),
  ['unknown_id.others', 'No operation succeeds with an unknown id.', callAllWithUnknownIds],
  [
    'invalid_send',
    '422 is a request body that is invalid: POST /v1/messages.',
    (session) =>
      expectInvalid(session, 'sendMessage', [{ to: '+12025550100' }, { to: '+12025550100', kind: 'sticker' }, []]),
  ],
  [
    'invalid_contact',
    '422 is a request body that is invalid: POST /v1/contacts.',
    (session) =>
      expectInvalid(session, 'upsertContact', [
        { name: session.run_name },
        { identities: 'none' },
        { identities: [{ channel_type: 'pigeon', identifier: '+12025550100' }] },
      ]),
  ],
  [
    'invalid_template',
    '422 is a request body that is invalid: POST /v1/chatapp/templates.',
    (session) =>
      expectInvalid(session, 'createTemplate', [
        { name: session.run_name, language: 'en', components: [] },
        { name: session.run_name, language: 'en', category: 'gossip', components: [] },
      ]),
  ],
  [
    'invalid_patch',
    '422 is a request body that is invalid: PATCH /v1/contacts/{contact_id}.',
    async (session) => {
      const params = { contact_id: (await sharedContact(session)).id };
      await expectInvalid(session, 'updateContact', [{ vip: 'yes' }, { tags: 'one' }], { params });
    },
  ],
  [
    'malformed_json',
    'A request body that is not JSON is refused.',
    (session) =>
      expectRefusal(session, 'upsertContact', { body: '{"identities": [' }, anyRefusal).then(() => undefined),
  ],
]);

async function expectInvalid(
  session: Session,
  id: 'sendMessage' | 'upsertContact' | 'createTemplate' | 'updateContact',
  bodies: readonly unknown[],
  call: ApiCall = {},
): Promise<void> {
  for (const body of bodies) await expectRefusal(session, id, { ...call, body }, [422]);
}

/** The contract lists no errors for the other operations, but none may succeed with an unknown id. */
async function callAllWithUnknownIds({ client }: Session): Promise<void> {
  const others = Object.values<Operation>(operations).filter(({ params }) => params !== undefined);
  let asked = 0;
  for (const operation of others) {
    const answer = await client.call(operation, {
      params: unknownIds,
      ...(operation.body && { body: operation.example.body }),
    });
    if (answer.status !== 403) asked++;
    const isRefused = answer.status >= 400 && answer.status < 500;
    assertThat(isRefused, `404 on ${operation.method} ${operation.path}`, describeResponse(answer));
  }
  if (asked === 0) throw new NotChecked('the key may not do any of it: 403');
}
