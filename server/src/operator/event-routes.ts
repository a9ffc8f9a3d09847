import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { parseId } from '../database/ids.ts';
import { findPosition, readFeed } from '../events/read-feed.ts';
import { readTypes } from '../events/read-feed-page.ts';
import { invalid } from '../http/reply/refusal.ts';
import type { Resources } from '../process/resources.ts';
import { findWorkspaceId } from './apply/get-workspace-id.ts';
import { ReplayBody, replayDeliveries } from './replay-deliveries.ts';

const FeedQuery = Type.Object({
  since: Type.Optional(Type.String()),
  limit: Type.Optional(Type.Integer({ minimum: 1 })),
  workspace_id: Type.Optional(Type.String()),
  types: Type.Optional(Type.String()),
});
type FeedQuery = Static<typeof FeedQuery>;

const defaultLimit = 100;
const maxLimit = 1_000;

/** The feed of events, and manual replays. */
export function eventRoutes(app: FastifyInstance, resources: Resources): void {
  const { pool } = resources;

  app.get<{ Querystring: FeedQuery }>('/events', { schema: { querystring: FeedQuery } }, async ({ query }, reply) => {
    const { since, limit = defaultLimit } = query;
    const workspace_id = query.workspace_id === undefined ? undefined : await findWorkspaceId(pool, query.workspace_id);
    if (query.workspace_id !== undefined && !workspace_id) {
      throw invalid({ detail: 'names no workspace', pointer: '/workspace_id' });
    }
    const after = await readCursor(since);
    const reading = { after, count: Math.min(limit, maxLimit), workspace_id, types: readTypes(query.types) };
    const { events, has_more } = await readFeed(pool, reading);
    const next_cursor = String(events.at(-1)?.position ?? after);
    // The stored bytes of the envelopes, as receivers get them.
    const data = events.map(({ payload }) => payload).join(',');
    return reply
      .type('application/json')
      .send(`{"data":[${data}],"next_cursor":${JSON.stringify(next_cursor)},"has_more":${has_more}}`);
  });

  /** Reads a cursor of the feed or an event's id; absent means the oldest kept event. */
  async function readCursor(since: string | undefined): Promise<number> {
    if (since === undefined) return 0;
    if (/^\d{1,15}$/.test(since)) return Number(since);
    const event_id = parseId('event', since);
    const position = event_id && (await findPosition(pool, event_id));
    if (!position)
      throw invalid({ detail: 'is neither a cursor nor the id of an event of the feed', pointer: '/since' });
    return position;
  }

  app.post<{ Body: ReplayBody }>('/replays', { schema: { body: ReplayBody } }, async ({ body }) => ({
    replayed: await replayDeliveries(resources, body),
  }));
}
