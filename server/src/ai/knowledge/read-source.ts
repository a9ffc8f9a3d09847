import type { Readable } from 'node:stream';
import type { Resources } from '../../process/resources.ts';
import { extractApart } from './extract-apart.ts';
import type { KnowledgeSourceRow } from './read-knowledge-sources.ts';
import { Unreadable } from './unreadable.ts';

const mostBytes = 20 * 1_048_576;
const timeoutMs = 30_000;

/** Its server gave no answer, or one that may be another soon. */
export class NotYetReadable extends Error {}

/** The text of a source, wherever it is; throws Unreadable, or NotYetReadable for what may be read later. */
export async function readSource(
  resources: Pick<Resources, 'config' | 'files' | 'poster'>,
  source: KnowledgeSourceRow,
): Promise<string> {
  if (source.type === 'text') return source.body ?? '';
  return source.type === 'url' ? readPage(resources, source.name) : readFile(resources, source);
}

async function readPage({ config, poster }: Pick<Resources, 'config' | 'poster'>, url: string): Promise<string> {
  const target = { url, allow_private: config.webhookAllowPrivate };
  const outcome = await poster.get(target, { timeout_ms: timeoutMs, max_answer_bytes: mostBytes });
  if (outcome.type === 'failed') throw new NotYetReadable(outcome.reason);
  if (outcome.type !== 'answered') throw new Unreadable(outcome.reason);
  const { status, body, content_type } = outcome;
  if (status === 408 || status === 425 || status === 429 || status >= 500)
    throw new NotYetReadable(`the page answered ${status}`);
  if (status < 200 || status >= 300) throw new Unreadable(`the page answered ${status}`);
  return extractApart({ bytes: body, content_type });
}

async function readFile({ files }: Pick<Resources, 'files'>, source: KnowledgeSourceRow): Promise<string> {
  const { workspace_id, media_id, mime } = source;
  const file = media_id && mime && (await files.open({ workspace_id, id: media_id }));
  if (!file) throw new Unreadable('the file is no longer there');
  if (file.size_bytes > mostBytes) {
    file.bytes.destroy();
    throw new Unreadable(`a file of more than ${mostBytes} bytes is not read`);
  }
  return extractApart({ bytes: await collect(file.bytes), content_type: mime });
}

async function collect(bytes: Readable): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}
