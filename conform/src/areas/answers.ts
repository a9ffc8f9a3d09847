import { idPrefixes } from '@majlis/contract';
import { type Answer, codeOf, describeAnswer, isObject } from '../answer.ts';
import { defineArea } from '../clause.ts';
import { type Session, succeed } from '../session.ts';
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

/** Of the member `id`, by the last word of the path that names a resource. */
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

/** What holds for every answer: judged over all that came in this run. */
export const answers = defineArea('answers', [
  [
    'rate_limit_headers',
    `${headerNames.join(', ')} on every response, integers.`,
    (session) => each(session, missingHeader),
  ],
  ['error_code', 'Error bodies carry a machine-readable code string.', (session) => each(session, missingCode)],
  [
    'no_server_error',
    'No request of this run is answered with a fault of the service.',
    (session) => each(session, serverFault),
  ],
  ['timestamps', 'Timestamps are ISO 8601 date-time strings in UTC.', (session) => each(session, wrongTimestamp)],
  ['id_prefixes', 'Identifiers are strings with a type prefix.', (session) => each(session, wrongPrefix)],
  [
    'rate_limited',
    '429 has the code rate_limited, and Retry-After in seconds.',
    async (session) => {
      if (!session.answers.some(({ status }) => status === 429)) throw new NotChecked('no limit was met in this run');
      await each(session, wrongLimit);
    },
  ],
]);

/** `fault` says what is wrong with an answer, if anything is. */
async function each(session: Session, fault: (answer: Answer) => string | undefined): Promise<void> {
  // Where no other area has asked anything.
  if (session.answers.length < 3) {
    await succeed(session, 'getWorkspace');
    await succeed(session, 'listChannels');
    await session.client.call(session.answers[0]!.operation, { authorization: null });
  }
  const faults = session.answers.flatMap((answer) => {
    const what = fault(answer);
    return what === undefined ? [] : [`${what} on ${answer.method} ${answer.operation.path} (${answer.status})`];
  });
  const others = faults.length > 1 ? `, and ${faults.length - 1} more` : '';
  assertThat(faults.length === 0, `it on all ${session.answers.length} answers`, `${faults[0]}${others}`);
}

function missingHeader({ headers }: Answer): string | undefined {
  const wrong = headerNames.find((name) => !/^\d+$/.test(headers.get(name) ?? ''));
  return wrong && `${wrong}: ${headers.get(wrong) ?? 'none'}`;
}

function missingCode(answer: Answer): string | undefined {
  if (answer.status < 400 || answer.status >= 500) return undefined;
  const code = codeOf(answer);
  return typeof code === 'string' && code !== '' ? undefined : `no code: ${describeAnswer(answer)}`;
}

function serverFault({ status }: Answer): string | undefined {
  return status >= 500 && status !== 503 ? `${status}` : undefined;
}

function wrongLimit(answer: Answer): string | undefined {
  if (answer.status !== 429) return undefined;
  const retry_after = answer.headers.get('retry-after') ?? 'none';
  if (!/^[1-9]\d*$/.test(retry_after)) return `Retry-After: ${retry_after}`;
  return codeOf(answer) === 'rate_limited' ? undefined : `code ${codeOf(answer)}`;
}

function wrongTimestamp({ status, body }: Answer): string | undefined {
  if (status >= 400) return undefined;
  const wrong = members(body).find(([name, value]) => name.endsWith('_at') && !isUtc(value));
  return wrong && `${wrong[0]} ${JSON.stringify(wrong[1])}`;
}

function isUtc(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]00:00)$/.test(value);
}

function wrongPrefix({ status, body, operation }: Answer): string | undefined {
  if (status >= 400) return undefined;
  const words = operation.path.split('/').filter((word) => word in prefixOfPath);
  const own = operation.path.endsWith('/deliveries') || operation.path.endsWith('/test') ? undefined : words.at(-1);
  const resources = isObject(body) && Array.isArray(body.data) ? body.data : [body];
  const ids = resources.flatMap((one) =>
    isObject(one) && own && 'id' in one ? [['id', one.id, prefixOfPath[own]]] : [],
  );
  const fields = members(body).map(([name, value]) => [name, value, prefixOfField[name]]);
  const wrong = [...ids, ...fields].find(
    ([, id, prefix]) => prefix && !(typeof id === 'string' && id.startsWith(String(prefix))),
  );
  return wrong && `${wrong[0]} ${JSON.stringify(wrong[1])}, not ${wrong[2]}…`;
}

/** All members of all objects, save what a customer has put there. */
function members(value: unknown): [string, unknown][] {
  if (Array.isArray(value)) return value.flatMap(members);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    if (name === 'custom_fields' || name === 'consents') return [];
    return typeof member === 'object' ? members(member) : [[name, member]];
  });
}
