import type { Call, CommonOptions } from './act.ts';
import { confirm } from './ask.ts';
import { Failure } from './failure.ts';
import { openClient } from './open-client.ts';
import { printResult } from './print-result.ts';
import { readData } from './read-data.ts';

interface ApiOptions extends CommonOptions {
  data?: string;
  query?: string[];
  idempotencyKey?: string;
  include?: boolean;
  yes?: boolean;
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** `majlis api POST /v1/messages -d '{…}'` */
export async function callApi({ args, options }: Call<ApiOptions>): Promise<void> {
  const [method, path] = [args[0]!.toUpperCase(), args[1]!];
  if (!methods.includes(method)) throw new Failure('usage', `The method must be one of ${methods.join(', ')}.`);
  if (!path.startsWith('/v1/')) throw new Failure('usage', 'The path must begin with /v1/, such as /v1/conversations.');
  const query = Object.fromEntries((options.query ?? []).map(readPair));
  const body = options.data === undefined ? undefined : await readData(options.data);
  if (method === 'DELETE') await confirm(`DELETE ${path}?`, options.yes);
  const { client } = await openClient(options);
  const { idempotencyKey } = options;
  const answer = client.request({ method, path, query, body }, idempotencyKey === undefined ? {} : { idempotencyKey });
  const { data, response } = await answer.withResponse();
  if (options.include) {
    const lines = [...response.headers].map(([name, value]) => `${name}: ${value}\n`);
    process.stdout.write(`${response.status}\n${lines.join('')}\n`);
  }
  if (data !== undefined) printResult(data, { json: true, quiet: options.quiet });
}

function readPair(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new Failure('usage', `--query ${text} must have the form name=value.`);
  return [text.slice(0, at), text.slice(at + 1)];
}
