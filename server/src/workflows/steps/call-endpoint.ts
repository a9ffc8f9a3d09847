import { parseStorableJson, storableText } from '../../database/storable-text.ts';
import type { PostOutcome } from '../../outbound/post-guarded.ts';
import type { Resources } from '../../process/resources.ts';
import type { StepOf } from '../definition/definition.ts';
import { expand, expandValue, type Scope } from '../run/expand.ts';
import { failed, type Outcome } from './outcome.ts';

const timeout_ms = 10_000;
const max_answer_bytes = 64 * 1024;

export interface EndpointCall {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** What is to be sent. In the address a value is never more than a value: it is percent-encoded. */
export function composeCall(step: StepOf<'call'>, scope: Scope, open: (header: string) => string): EndpointCall {
  const headers = Object.entries(step.headers ?? {}).map(([name, value]) => {
    return [name.toLowerCase(), expand(open(value), scope)];
  });
  return {
    url: expand(step.url, scope, encodeURIComponent),
    headers: { 'content-type': 'application/json', 'user-agent': 'Majlis', ...Object.fromEntries(headers) },
    body: JSON.stringify(expandValue(step.body ?? {}, scope)),
  };
}

/** One request to an address that the operator chose, guarded like those to webhook endpoints. Never throws. */
export async function callEndpoint({ config, poster }: Resources, call: EndpointCall): Promise<Outcome> {
  const target = { url: call.url, allow_private: config.webhookAllowPrivate };
  const limits = { timeout_ms, max_answer_bytes, keeps_answer: true };
  return readOutcome(await poster.post(target, call.headers, call.body, limits));
}

function readOutcome(outcome: PostOutcome): Outcome {
  if (outcome.type === 'blocked') return failed('The address may not be called.');
  if (outcome.type === 'failed') return failed(`The call came to ${outcome.reason}.`);
  const { status, body } = outcome;
  if (status < 200 || status > 299) return failed(`The call was answered ${status}.`);
  return { type: 'done', outcome: 'answered', result: { status, body: readBody(body) } };
}

/** JSON as what it is, other text as text; what PostgreSQL cannot keep is left out. */
function readBody(bytes: Buffer | undefined): unknown {
  const text = bytes?.toString('utf8') ?? '';
  try {
    return parseStorableJson(text);
  } catch {
    return storableText(text);
  }
}
