import { idPrefixes } from '@majlis/contract';
import { type ApiResponse, describeResponse, errorCodeOf, isJsonObject } from '../api-response.ts';
import { defineArea } from '../clause.ts';
import { expectSuccess, type Session } from '../session.ts';
import { assertThat, NotChecked } from '../verdict.ts';

const headerNames = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

const prefixOfField: Record<string, string> = {
  conversation_id: idPrefixes.conversation,
  contact_id: idPrefixes.contact,
  channel_id: idPrefixes.channel,
  media_id: idPrefixes.media,
  workspace_id: idPrefixes.workspace,
  assignee_id: idPrefixes.user,
  team_id: idPrefixes.team,
  event_id: idPrefixes.event,
  reply_to_id: idPrefixes.message,
  run_id: idPrefixes.workflow_run,
};

/** The prefix of the member `id`, by the last resource name in the path. */
const prefixOfPath: Record<string, string> = {
  messages: idPrefixes.message,
  notes: idPrefixes.message,
  conversations: idPrefixes.conversation,
  contacts: idPrefixes.contact,
  templates: idPrefixes.template,
  channels: idPrefixes.channel,
  users: idPrefixes.user,
  teams: idPrefixes.team,
  workflows: idPrefixes.workflow,
  broadcasts: idPrefixes.broadcast,
  media: idPrefixes.media,
  agents: idPrefixes.ai_agent,
  'webhook-endpoints': idPrefixes.webhook_endpoint,
  workspace: idPrefixes.workspace,
};

/** Rules for every response, checked over all responses of the run. */
export const answersArea = defineArea('answers', [
  [
    'rate_limit_headers',
    `${headerNames.join(', ')} on every response, integers.`,
    (session) => assertNoFault(session, missingHeader),
  ],
  [
    'error_code',
    'Error bodies carry a machine-readable code string.',
    (session) => assertNoFault(session, missingCode),
  ],
  ['no_server_error', 'No request of this run gets a server error.', (session) => assertNoFault(session, serverFault)],
  [
    'timestamps',
    'Timestamps are ISO 8601 date-time strings in UTC.',
    (session) => assertNoFault(session, wrongTimestamp),
  ],
  ['id_prefixes', 'Identifiers are strings with a type prefix.', (session) => assertNoFault(session, wrongPrefix)],
  [
    'rate_limited',
    '429 has the code rate_limited, and Retry-After in seconds.',
    async (session) => {
      if (!session.answers.some(({ status }) => status === 429))
        throw new NotChecked('no request of this run met a limit');
      await assertNoFault(session, wrongLimit);
    },
  ],
]);

/** `findFault` returns the fault of a response, if it has one. */
async function assertNoFault(session: Session, findFault: (answer: ApiResponse) => string | undefined): Promise<void> {
  // No other area has run.
  if (session.answers.length < 3) {
    await expectSuccess(session, 'getWorkspace');
    await expectSuccess(session, 'listChannels');
    await session.client.call(session.answers[0]!.operation, { authorization: null });
  }
  const faults = session.answers.flatMap((answer) => {
    const what = findFault(answer);
    return what === undefined ? [] : [`${what} on ${answer.method} ${answer.operation.path} (${answer.status})`];
  });
  const others = faults.length > 1 ? `, and ${faults.length - 1} more` : '';
  assertThat(faults.length === 0, `the rule on all ${session.answers.length} answers`, `${faults[0]}${others}`);
}

function missingHeader({ headers }: ApiResponse): string | undefined {
  const wrong = headerNames.find((name) => !/^\d+$/.test(headers.get(name) ?? ''));
  return wrong && `${wrong}: ${headers.get(wrong) ?? 'none'}`;
}

function missingCode(answer: ApiResponse): string | undefined {
  if (answer.status < 400 || answer.status >= 500) return undefined;
  const code = errorCodeOf(answer);
  return typeof code === 'string' && code !== '' ? undefined : `no code: ${describeResponse(answer)}`;
}

function serverFault({ status }: ApiResponse): string | undefined {
  return status >= 500 && status !== 503 ? `${status}` : undefined;
}

function wrongLimit(answer: ApiResponse): string | undefined {
  if (answer.status !== 429) return undefined;
  const retry_after = answer.headers.get('retry-after') ?? 'none';
  if (!/^[1-9]\d*$/.test(retry_after)) return `Retry-After: ${retry_after}`;
  return errorCodeOf(answer) === 'rate_limited' ? undefined : `code ${errorCodeOf(answer)}`;
}

function wrongTimestamp({ status, body }: ApiResponse): string | undefined {
  if (status >= 400) return undefined;
  const wrong = listMembers(body).find(([name, value]) => name.endsWith('_at') && !isUtc(value));
  return wrong && `${wrong[0]} ${JSON.stringify(wrong[1])}`;
}

function isUtc(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]00:00)$/.test(value);
}

function wrongPrefix({ status, body, operation }: ApiResponse): string | undefined {
  if (status >= 400) return undefined;
  const words = operation.path.split('/').filter((word) => word in prefixOfPath);
  const own = operation.path.endsWith('/deliveries') || operation.path.endsWith('/test') ? undefined : words.at(-1);
  const resources = isJsonObject(body) && Array.isArray(body.data) ? body.data : [body];
  const ids = resources.flatMap((one) =>
    isJsonObject(one) && own && 'id' in one ? [['id', one.id, prefixOfPath[own]]] : [],
  );
  const fields = listMembers(body).map(([name, value]) => [name, value, prefixOfField[name]]);
  const wrong = [...ids, ...fields].find(
    ([, id, prefix]) => prefix && !(typeof id === 'string' && id.startsWith(String(prefix))),
  );
  return wrong && `${wrong[0]} ${JSON.stringify(wrong[1])}, not ${wrong[2]}…`;
}

/** All members of all objects, except free-form ones of customers. */
function listMembers(value: unknown): [string, unknown][] {
  if (Array.isArray(value)) return value.flatMap(listMembers);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    if (name === 'custom_fields' || name === 'consents') return [];
    return typeof member === 'object' ? listMembers(member) : [[name, member]];
  });
}
