import { parseStorableJson, storableText } from '../../database/storable-text.ts';
import { isNestedTooDeep } from '../../http/body/parse-json.ts';
import type { PostOutcome } from '../../outbound/post-guarded.ts';
import type { Resources } from '../../process/resources.ts';
import type { StepOf } from '../definition/definition.ts';
import { ExpansionTooLong, expand, expandValue, type VariableScope } from '../run/expand.ts';
import { listSecretsOf, redactSecrets } from './redact-secrets.ts';
import { type StepFailure, type StepOutcome, stepFailed } from './step-outcome.ts';

const timeout_ms = 10_000;
const max_answer_bytes = 64 * 1024;
// Servers take 8 to 64 kB. Variables multiply: a thousand headers of the longest texts would be 64 MB.
const mostHeaderCharacters = 65_536;

export interface EndpointCall {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** What the stored answer must not contain. */
  secrets: readonly string[];
}

/** The request of a `call` step, or the failure of its variables. Values in the URL are percent-encoded. */
export function composeCall(
  step: StepOf<'call'>,
  scope: VariableScope,
  open: (header: string) => string,
): EndpointCall | StepFailure {
  try {
    return compose(step, scope, open);
  } catch (error) {
    if (error instanceof ExpansionTooLong) return stepFailed(error.message);
    throw error;
  }
}

function compose(
  step: StepOf<'call'>,
  scope: VariableScope,
  open: (header: string) => string,
): EndpointCall | StepFailure {
  const url = expand(step.url, scope, encodeURIComponent);
  if (countDotParts(url) > countDotParts(step.url)) return stepFailed('A value leads to another path of the address.');
  const opened = Object.entries(step.headers ?? {}).map(([name, value]) => [name.toLowerCase(), open(value)] as const);
  const headers = opened.map(([name, value]) => [name, expand(value, scope)] as const);
  if (headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0) > mostHeaderCharacters) {
    return stepFailed(`The headers with their variables have more than ${mostHeaderCharacters} characters.`);
  }
  return {
    url,
    headers: { 'content-type': 'application/json', 'user-agent': 'Majlis', ...Object.fromEntries(headers) },
    body: JSON.stringify(expandValue(step.body ?? {}, scope)),
    secrets: listSecretsOf(opened),
  };
}

/** The parts `.` and `..` of a path. Percent-encoding does not keep them from leading to another one. */
function countDotParts(url: string): number {
  return url.split(/[?#]/, 1)[0]!.match(/\/\.{1,2}(?=\/|$)/g)?.length ?? 0;
}

/** Posts to the URL with the address checks of webhooks, and reads the outcome. Never throws. */
export async function callEndpoint({ config, poster }: Resources, call: EndpointCall): Promise<StepOutcome> {
  const target = { url: call.url, allow_private: config.webhookAllowPrivate };
  const limits = { timeout_ms, max_answer_bytes, keeps_answer: true };
  return readOutcome(await poster.post(target, call.headers, call.body, limits), call.secrets);
}

function readOutcome(outcome: PostOutcome, secrets: readonly string[]): StepOutcome {
  if (outcome.type === 'blocked') return stepFailed('The address may not be called.');
  if (outcome.type === 'failed') return stepFailed(`The call came to ${outcome.reason}.`);
  const { status, body } = outcome;
  if (status < 200 || status > 299) return stepFailed(`The call was answered ${status}.`);
  return { type: 'done', outcome: 'answered', result: { status, body: redactSecrets(readBody(body), secrets) } };
}

/** The parsed JSON, or the text. Characters that PostgreSQL cannot store are removed. */
function readBody(bytes: Buffer = Buffer.alloc(0)): unknown {
  const text = bytes.toString('utf8');
  if (isNestedTooDeep(bytes)) return storableText(text);
  try {
    return parseStorableJson(text);
  } catch {
    return storableText(text);
  }
}
