import type { Resources } from '../../process/resources.ts';
import { extractInChild } from './extract-in-child.ts';
import type { Passage } from './extraction-process.ts';
import type { KnowledgeSourceRow } from './read-knowledge-sources.ts';
import { UnreadableSource } from './unreadable-source.ts';

const maxBytes = 20 * 1_048_576;
const timeoutMs = 30_000;

/** The server gave no answer, or a transient error. */
export class TemporarilyUnreadable extends Error {}

/** The passages of a source. Throws UnreadableSource, or TemporarilyUnreadable if a retry may succeed. */
export async function readSource(
  resources: Pick<Resources, 'config' | 'files' | 'poster'>,
  source: KnowledgeSourceRow,
): Promise<Passage[]> {
  if (source.type === 'text') return readText(source.body ?? '');
  return source.type === 'url' ? readPage(resources, source.name) : readFile(resources, source);
}

function readText(text: string): Promise<Passage[]> {
  const bytes = Buffer.from(text);
  return extractInChild({ type: 'text', bytes, size_bytes: bytes.length });
}

async function readPage({ config, poster }: Pick<Resources, 'config' | 'poster'>, url: string): Promise<Passage[]> {
  const target = { url, allow_private: config.webhookAllowPrivate };
  const outcome = await poster.get(target, { timeout_ms: timeoutMs, max_answer_bytes: maxBytes });
  if (outcome.type === 'failed') throw new TemporarilyUnreadable(outcome.reason);
  if (outcome.type !== 'answered') throw new UnreadableSource(outcome.reason);
  const { status, body, content_type } = outcome;
  if (status === 408 || status === 425 || status === 429 || status >= 500)
    throw new TemporarilyUnreadable(`the page answered ${status}`);
  if (status < 200 || status >= 300) throw new UnreadableSource(`the page answered ${status}`);
  return extractInChild({ type: 'document', bytes: body, size_bytes: body.length, content_type });
}

async function readFile({ files }: Pick<Resources, 'files'>, source: KnowledgeSourceRow): Promise<Passage[]> {
  const { workspace_id, media_id, mime } = source;
  const file = media_id && mime && (await files.open({ workspace_id, id: media_id }));
  if (!file) throw new UnreadableSource('the file is no longer there');
  if (file.size_bytes > maxBytes) {
    file.bytes.destroy();
    throw new UnreadableSource(`a file of more than ${maxBytes} bytes is not read`);
  }
  return extractInChild({ type: 'document', ...file, content_type: mime });
}
