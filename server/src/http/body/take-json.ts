import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../reply/refusal.ts';
import { parseJson } from './parse-json.ts';

/** Makes JSON the app's only content type. `parseJson` refuses values that the database cannot store. */
export function takeJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(
    /^application\/(.+\+)?json\b/,
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, raw: Buffer) => {
      if (raw.length === 0) return undefined;
      const parsed = parseJson(raw);
      if (!parsed.ok) throw new Refusal('unprocessable_content', { errors: parsed.errors });
      return parsed.value;
    },
  );
}
