import type { FastifyInstance, FastifyReply } from 'fastify';
import { mapInSlices } from '../../concurrency/map-in-slices.ts';
import { Refusal } from './refusal.ts';

const itemsAtOnce = 20;

/**
 * Writes lists without pages in short turns of the event loop, and refuses one of more than so many bytes: a page ends earlier, but
 * such a list has no next one.
 */
export function boundLists(app: FastifyInstance, most_bytes: number): void {
  app.addHook('preSerialization', (_request, reply, answer: unknown, done) => {
    const items = itemsOf(answer);
    if (!items || reply.statusCode >= 300) return done(null, answer);
    writeList(reply, answer as object, items, most_bytes).then(
      (text) => {
        reply.serializer(() => text);
        done(null, answer);
      },
      (error) => done(error),
    );
  });
}

/** Undefined for a page, and for an answer that is no list. */
function itemsOf(answer: unknown): unknown[] | undefined {
  if (Array.isArray(answer)) return answer;
  const { data, has_more } = (answer ?? {}) as { data?: unknown; has_more?: unknown };
  return Array.isArray(data) && has_more === undefined ? data : undefined;
}

async function writeList(reply: FastifyReply, answer: object, items: unknown[], most_bytes: number): Promise<string> {
  const slices = Array.from({ length: Math.ceil(items.length / itemsAtOnce) }, (_, n) =>
    items.slice(n * itemsAtOnce, (n + 1) * itemsAtOnce),
  );
  const isPlain = Array.isArray(answer);
  let bytes = 0;
  const texts = await mapInSlices(slices, (slice) => {
    // By the schema of the route, without the brackets.
    const text = isPlain
      ? (reply.serialize(slice) as string).slice(1, -1)
      : (reply.serialize({ data: slice }) as string).slice('{"data":['.length, -']}'.length);
    bytes += Buffer.byteLength(text);
    if (bytes > most_bytes) throw tooLong(most_bytes);
    return text;
  });
  if (isPlain) return `[${texts.join()}]`;
  // The other members of the console's lists.
  const { data: _data, ...others } = answer as { data: unknown };
  const rest = JSON.stringify(others).slice(1);
  return `{"data":[${texts.join()}]${rest === '}' ? '' : ','}${rest}`;
}

/** The refusal of a list that nobody has begun to read, or of one that turns out too long. */
export function tooLong(most_bytes: number): Refusal {
  return new Refusal('unprocessable_content', {
    detail: `The list has more than ${most_bytes} bytes. Ask for a part of it where the operation has filters, or remove some of it.`,
  });
}
