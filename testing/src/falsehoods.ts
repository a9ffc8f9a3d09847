import type { Falsified, Misled } from './start-falsifier.ts';

export interface Falsehood {
  says: string;
  /** The conformance clause that must fail, and the areas of the suite to run. */
  clause: string;
  areas: string[];
  /** Changes an answer of the service on its way. */
  falsify(answer: Falsified): void;
  /** Other clauses that the same fault breaks. */
  also?: string[];
  /** Changes a request, so that the service behaves like a faulty one. */
  mislead?(request: Misled): void;
}

const onPath = (answer: Falsified, method: string, path: RegExp) => answer.method === method && path.test(answer.path);
const nothing = () => undefined;

/** Faults of a deployment. The conformance suite must report each by its clause. */
export const falsehoods: Falsehood[] = [
  {
    says: 'answers without a key',
    clause: 'authentication.missing_key',
    areas: ['authentication'],
    also: ['authentication.every_operation'],
    falsify: nothing,
    mislead: ({ headers, key }) => void (headers.has('authorization') || headers.set('authorization', `Bearer ${key}`)),
  },
  {
    says: 'refuses an unknown key by 403',
    clause: 'authentication.unknown_key',
    areas: ['authentication'],
    falsify: (answer) => {
      if (answer.status === 401 && /^Bearer [0-9a-f]{48}$/.test(answer.authorization)) answer.status = 403;
    },
  },
  {
    says: 'has one operation that asks for no key',
    clause: 'authentication.every_operation',
    areas: ['authentication'],
    falsify: nothing,
    mislead: ({ path, headers, key }) => void (path === '/v1/stages' && headers.set('authorization', `Bearer ${key}`)),
  },
  {
    says: 'leaves the rate-limit headers out of refusals',
    clause: 'answers.rate_limit_headers',
    areas: ['refusals', 'answers'],
    falsify: ({ status, headers }) => void (status === 404 && headers.delete('ratelimit-reset')),
  },
  {
    says: 'refuses without a code',
    clause: 'answers.error_code',
    areas: ['authentication', 'answers'],
    falsify: ({ body }) => void delete body?.code,
  },
  {
    says: 'tells local times',
    clause: 'answers.timestamps',
    areas: ['contacts', 'workspace', 'answers'],
    falsify: ({ body }) => {
      for (const channel of body?.data ?? []) if (channel.created_at) channel.created_at = '2026-11-01T10:00:00+04:00';
    },
  },
  {
    says: 'has ids of another prefix',
    clause: 'answers.id_prefixes',
    areas: ['workspace', 'answers'],
    falsify: (answer) => {
      if (onPath(answer, 'GET', /\/users$/))
        for (const user of answer.body.data) user.id = user.id.replace('usr_', 'u_');
    },
  },
  {
    says: 'answers a field in another type',
    clause: 'operations.getWallet',
    areas: ['operations'],
    falsify: (answer) => {
      if (onPath(answer, 'GET', /\/wallet$/)) answer.body.balance_minor = '0';
    },
  },
  {
    says: 'answers 200 for something unknown',
    clause: 'refusals.unknown_id.getConversation',
    areas: ['refusals'],
    also: ['refusals.unknown_id.others'],
    falsify: (answer) => {
      if (onPath(answer, 'GET', /\/conversations\/cv_0+$/)) answer.status = 200;
    },
  },
  {
    says: 'refuses an invalid body by 400',
    clause: 'refusals.invalid_contact',
    areas: ['refusals'],
    falsify: (answer) => {
      if (onPath(answer, 'POST', /\/contacts$/) && answer.status === 422) answer.status = 400;
    },
  },
  {
    says: 'answers 200 for a contact that is new',
    clause: 'contacts.created',
    areas: ['contacts'],
    falsify: (answer) => {
      if (onPath(answer, 'POST', /\/contacts$/) && answer.status === 201) answer.status = 200;
    },
  },
  {
    says: 'keeps numbers as they were spelled',
    clause: 'contacts.e164',
    areas: ['contacts'],
    also: ['contacts.local_number'],
    falsify: ({ body }) => {
      for (const identity of body?.identities ?? []) identity.identifier = identity.identifier.replace('+', '00');
    },
  },
  {
    says: 'clears what a PATCH does not name',
    clause: 'contacts.patch_only_sent',
    areas: ['contacts'],
    falsify: nothing,
    mislead: ({ method, body }) => {
      if (method === 'PATCH' && body.vip === true) body.tags = [];
    },
  },
  {
    says: 'ignores that tags are replaced',
    clause: 'contacts.patch_tags',
    areas: ['contacts'],
    falsify: nothing,
    mislead: ({ method, body }) => void (method === 'PATCH' && Array.isArray(body.tags) && delete body.tags),
  },
  {
    says: 'counts the rows of an import from 1',
    clause: 'imports.failed_rows',
    areas: ['imports'],
    falsify: ({ body }) => {
      for (const row of body?.failed ?? []) row.index += 1;
    },
  },
  {
    says: 'ignores idempotency keys',
    clause: 'idempotency.same_result',
    areas: ['idempotency'],
    also: ['idempotency.conflict', 'idempotency.keeps_result'],
    falsify: nothing,
    mislead: ({ headers }) => headers.delete('idempotency-key'),
  },
  {
    says: 'has another code for a conflict of keys',
    clause: 'idempotency.conflict',
    areas: ['idempotency'],
    falsify: ({ body }) => {
      if (body?.code === 'idempotency_conflict') body.code = 'conflict';
    },
  },
  {
    says: 'loses an entry between two pages',
    clause: 'paging.all_pages',
    areas: ['paging'],
    also: ['paging.all_pages_while_writing'],
    falsify: ({ path, body }) => void (path.includes('cursor=') && body.data.shift()),
  },
  {
    says: 'repeats an entry on the next page',
    clause: 'paging.all_pages',
    areas: ['paging'],
    also: ['paging.all_pages_while_writing'],
    falsify: ({ path, body }) => void (path.includes('cursor=') && body.data.push(body.data[0])),
  },
  {
    says: 'ignores limit',
    clause: 'paging.limit',
    areas: ['paging'],
    falsify: nothing,
    mislead: (request) => {
      request.path = request.path.replace(/limit=\d+/, 'limit=50');
    },
  },
  {
    says: 'refuses text outside the window by 422',
    clause: 'messages.window_rule',
    areas: ['messages'],
    falsify: (answer) => {
      if (answer.body?.code === 'window_closed') answer.status = 422;
    },
  },
  {
    says: 'has no code for an unknown template',
    clause: 'messages.template_not_found',
    areas: ['messages'],
    falsify: ({ body }) => {
      if (body?.code === 'template_not_found') body.code = 'not_found';
    },
  },
  {
    says: 'takes no message at all',
    clause: 'messages.queued',
    areas: ['messages'],
    falsify: (answer) => {
      if (onPath(answer, 'POST', /v1\/messages$/) && answer.status === 201) answer.status = 422;
    },
  },
  {
    says: 'makes no contacts, while another area is asked for',
    clause: 'contacts.created',
    areas: ['paging'],
    falsify: (answer) => {
      if (onPath(answer, 'POST', /\/contacts$/)) answer.status = 422;
    },
  },
  {
    says: 'answers out of its schema, while another area is asked for',
    clause: 'operations.listChannels',
    areas: ['messages'],
    falsify: (answer) => {
      if (onPath(answer, 'GET', /\/channels$/)) delete answer.body.data[0].id;
    },
  },
  {
    says: 'says sent at once',
    clause: 'messages.queued',
    areas: ['messages'],
    also: ['messages.text_in_window'],
    falsify: (answer) => {
      if (onPath(answer, 'POST', /messages$/) && answer.status === 201) answer.body.status = 'sent';
    },
  },
  {
    says: 'sends a repeated message again',
    clause: 'messages.idempotent_send',
    areas: ['messages'],
    also: ['messages.idempotency_conflict'],
    falsify: nothing,
    mislead: ({ headers }) => headers.delete('idempotency-key'),
  },
  {
    says: 'lists the newest message first',
    clause: 'messages.oldest_first',
    areas: ['messages'],
    falsify: (answer) => void (onPath(answer, 'GET', /cv_\w+\/messages/) && answer.body.data?.reverse()),
  },
  {
    says: 'takes replies to closed conversations',
    clause: 'conversations.closed_refuses',
    areas: ['conversations'],
    falsify: (answer) => {
      if (answer.body?.code === 'conversation_closed') Object.assign(answer, { status: 201, body: {} });
    },
  },
  {
    says: 'does not unassign',
    clause: 'conversations.assign',
    areas: ['conversations'],
    falsify: (answer) => {
      if (onPath(answer, 'POST', /\/assign$/)) answer.body.assignee_id ??= 'usr_somebody';
    },
  },
  {
    says: 'changes a byte of a file',
    clause: 'media.round_trip',
    areas: ['media'],
    falsify: (answer) => {
      if (onPath(answer, 'GET', /\/media\/med_/)) answer.bytes[7] = answer.bytes[7]! ^ 1;
    },
  },
  {
    says: 'shows the secret again',
    clause: 'webhooks.secret_once',
    areas: ['webhooks'],
    falsify: (answer) => {
      if (!answer.path.startsWith('/v1/webhook-endpoints')) return;
      if (answer.body?.secret) lastSecret = answer.body.secret;
      else if (answer.body?.data) for (const endpoint of answer.body.data) endpoint.secret = lastSecret;
    },
  },
  {
    says: 'signs with another secret than it showed',
    clause: 'webhooks.signature',
    areas: ['webhooks'],
    also: ['webhooks.status_event'],
    falsify: ({ body }) => {
      if (body?.secret) body.secret = `${body.secret}x`;
    },
  },
  {
    says: 'shows contacts of other workspaces',
    clause: 'isolation.contact',
    areas: ['isolation'],
    also: ['isolation.lists', 'isolation.identities'],
    falsify: nothing,
    mislead: ({ path, headers, key }) =>
      void (path.includes('/contacts') && headers.set('authorization', `Bearer ${key}`)),
  },
];

let lastSecret: string | undefined;
