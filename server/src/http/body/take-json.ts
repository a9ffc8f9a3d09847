import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../reply/refusal.ts';
import { boundsFor } from './body-bounds.ts';
import type { Bounds } from './check-bounds.ts';
import type { BodyThread } from './check-in-thread.ts';
import { setVerdict } from './checked-bodies.ts';
import { parseJson, textOfBody } from './parse-json.ts';

// To check 16 KiB takes at most some 20 ms, whatever they hold. To check 4 MB takes up to a second.
const inlineBytes = 16_384;

/** Makes JSON the app's only content type. `parseJson` refuses values that the database cannot store. */
export function takeJson(app: FastifyInstance, { thread, bounds, ownerOf }: TakeJson): void {
  const schemas = new WeakMap<object, string>();
  const textOf = (schema: object) => {
    const known = schemas.get(schema) ?? JSON.stringify(schema);
    schemas.set(schema, known);
    return known;
  };
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(
    /^application\/(.+\+)?json\b/,
    { parseAs: 'buffer' },
    async (request: FastifyRequest, raw: Buffer) => {
      if (raw.length === 0) return undefined;
      const { schema, bodyLimit } = request.routeOptions;
      const max_values = boundsFor(bodyLimit).values;
      if (raw.length <= inlineBytes || !schema?.body) {
        const parsed = parseJson(raw, max_values);
        if (!parsed.ok) throw new Refusal('unprocessable_content', { errors: parsed.errors });
        return parsed.value;
      }
      const checked = await thread.check(ownerOf(request), {
        raw,
        max_values,
        schema: textOf(schema.body),
        bounds,
        fingerprinted: request.headers['idempotency-key'] !== undefined,
      });
      if ('faults' in checked) throw new Refusal('unprocessable_content', { errors: checked.faults });
      if ('errors' in checked) return setVerdict({}, checked);
      // It was read once, so it is well-formed. To read it again takes less time than to copy it from the thread.
      const fingerprint = checked.fingerprint && Buffer.from(checked.fingerprint);
      return setVerdict(JSON.parse(textOfBody(raw)), { errors: [], fingerprint });
    },
  );
}

interface TakeJson {
  thread: BodyThread;
  bounds: Bounds;
  /** Who sends the request. Owners take turns. */
  ownerOf: (request: FastifyRequest) => string;
}
