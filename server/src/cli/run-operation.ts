import { randomUUID } from 'node:crypto';
import { createWriteStream, openAsBlob } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { type Broadcast, ConnectionError, type Majlis, type PagePromise } from '@majlis/sdk';
import type { Call, CommonOptions } from './act.ts';
import { confirm } from './ask.ts';
import { Failure } from './failure.ts';
import { isPaged, type MemberOption, type NamedOperation } from './named-operation.ts';
import { openClient } from './open-client.ts';
import { printEntry, printResult, tell } from './print-result.ts';
import { createProgress } from './progress.ts';
import { cannotRead, readData } from './read-data.ts';
import { cleared } from './read-member.ts';

interface OperationOptions extends CommonOptions {
  data?: string;
  all?: boolean;
  yes?: boolean;
  output?: string;
  filename?: string;
  mime?: string;
  idempotencyKey?: string;
  wait?: boolean;
}

interface OperationCall extends Call<OperationOptions> {
  named: NamedOperation;
  members: readonly MemberOption[];
}

const runningBroadcasts = ['scheduled', 'sending'];
const broadcastInterval_ms = 1_000;

type AnyMethod = (...given: unknown[]) => Promise<unknown>;

/** Performs one operation of the table and prints its answer. */
export async function runOperation({ args, options, named, members }: OperationCall): Promise<void> {
  const { operation } = named;
  const ids = args.slice(0, Object.keys(operation.params?.properties ?? {}).length);
  for (const id of ids) if (id === '') throw new Failure('usage', 'An id is missing: the argument is empty.');
  const input = await readInput({ args, options, named, members });
  if (named.destructive) await confirm(`${operation.summary}${ids.map((id) => ` ${id}`).join('')}?`, options.yes);
  const { client } = await openClient(options);
  const [resource, method] = named.name.split('.') as [keyof Majlis, string];
  const perform = (client[resource] as unknown as Record<string, AnyMethod>)[method]!;
  const call = (all: unknown[]) => Reflect.apply(perform, undefined, all);
  const given = [...ids, ...(input === undefined ? [] : [input])];
  if (operation.reply.content_type) return save((await call(given)) as Response, options.output!);
  if (isPaged(operation)) return printPages(call(given) as PagePromise<unknown>, options);
  const result = await keyed(operation.idempotent, options.idempotencyKey, (more) => call([...given, more]));
  printResult(options.wait ? await untilSent(client, result as Broadcast) : result, options);
  // The feed of events has positions in the place of cursors.
  const { has_more, next_position } = (result ?? {}) as { has_more?: boolean; next_position?: string };
  if (has_more && next_position && !options.json && !options.quiet)
    tell(`majlis: There are more: --after ${next_position}`);
}

/**
 * Performs a write that acts once for a key. Where its outcome is unknown, it names the key: the caller repeats the command with
 * it, and nothing acts twice.
 */
export async function keyed<Result>(
  isKeyed: boolean,
  given: string | undefined,
  perform: (options: { idempotencyKey?: string }) => Promise<Result>,
): Promise<Result> {
  if (!isKeyed) return perform({});
  const idempotencyKey = given ?? randomUUID();
  try {
    return await perform({ idempotencyKey });
  } catch (error) {
    if (error instanceof ConnectionError && error.wasSent) {
      tell(`majlis: It may have been done. Repeat the command with --idempotency-key ${idempotencyKey}: it acts once.`);
    }
    throw error;
  }
}

/** Waits until the broadcast is done, with a bar for its recipients. */
async function untilSent(client: Majlis, begun: Broadcast): Promise<Broadcast> {
  const progress = createProgress('recipients');
  let broadcast = begun;
  while (runningBroadcasts.includes(broadcast.status)) {
    const { total, queued = 0 } = broadcast.counts;
    progress.update(total - queued, total);
    await setTimeout(broadcastInterval_ms);
    broadcast = await client.broadcasts.get(broadcast.id);
  }
  progress.end();
  return broadcast;
}

async function readInput({ args, options, named, members }: OperationCall): Promise<unknown> {
  const { body, body_content_type, query } = named.operation;
  if (body_content_type) return readUpload(args.at(-1)!, options);
  const schema = body ?? query;
  if (!schema) return undefined;
  const data = options.data === undefined ? {} : await readData(options.data);
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    throw new Failure('usage', 'The body must be a JSON object.');
  }
  const given = members.flatMap(({ member, option }) => {
    const value = (options as Record<string, unknown>)[option.attributeName()];
    return value === undefined ? [] : [[member, value === cleared ? null : value]];
  });
  const input: Record<string, unknown> = { ...data, ...Object.fromEntries(given) };
  const missing = ((schema as { required?: string[] }).required ?? []).filter((member) => input[member] === undefined);
  if (missing.length === 0) return input;
  const wanted = missing.map((member) => members.find((one) => one.member === member)?.option.flags ?? member);
  throw new Failure('usage', `It needs ${wanted.join(' and ')}${body ? ', or --data with a body that has them' : ''}.`);
}

export async function readUpload(file: string, { filename, mime }: { filename?: string; mime?: string }) {
  // openAsBlob does not say what is wrong with a file.
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw cannotRead(file, error);
  });
  const isFile = await handle.stat().then((found) => found.isFile());
  await handle.close();
  if (!isFile) throw new Failure('usage', `${file} cannot be read: it is no file.`);
  const content = await openAsBlob(file);
  return { content, filename: filename ?? path.basename(file), ...(mime !== undefined && { mime }) };
}

async function printPages(list: PagePromise<unknown>, { all, json, quiet }: OperationOptions): Promise<void> {
  if (!all) {
    const { data, has_more, next_cursor } = await list;
    printResult({ data, ...(next_cursor !== undefined && { next_cursor }), has_more }, { json, quiet });
    if (has_more && !json && !quiet) tell(`majlis: There are more: --all, or --cursor ${next_cursor}`);
    return;
  }
  // An export into a file shows nothing by itself.
  const progress = process.stdout.isTTY ? undefined : createProgress('read');
  let read = 0;
  for await (const page of list.pages()) {
    read += page.data.length;
    progress?.update(read);
    if (json && !quiet) for (const entry of page.data) printEntry(entry);
    else printResult(page.data, { quiet, isContinued: read > page.data.length });
  }
  progress?.end();
}

/** Writes the bytes to a file that is either whole or not there. */
async function save(response: Response, output: string): Promise<void> {
  const bytes = Readable.fromWeb(response.body as never);
  if (output === '-') return pipeline(bytes, process.stdout, { end: false });
  const part = `${output}.${randomUUID()}.part`;
  try {
    await pipeline(bytes, createWriteStream(part, { flags: 'wx' }));
    await rename(part, output);
  } catch (error) {
    await rm(part, { force: true });
    const { code, message } = error as NodeJS.ErrnoException;
    if (code?.startsWith('E')) throw new Failure('usage', `${output} cannot be written: ${message}`);
    throw error;
  }
}
