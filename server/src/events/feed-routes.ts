import { type EventEnvelope, extensionOperations } from '@majlis/contract';
import { parseId } from '../database/ids.ts';
import type { KeyCaller } from '../http/authenticate.ts';
import { onceClosed } from '../http/reply/once-closed.ts';
import { Refusal } from '../http/reply/refusal.ts';
import type { Serve } from '../http/serve.ts';
import type { Resources } from '../process/resources.ts';
import { addDetails } from './add-details.ts';
import type { FeedFollowers } from './feed-followers.ts';
import { findPayload } from './find-payload.ts';
import { readDataForm } from './read-data-form.ts';
import { readFeedPage, readPosition, readTypes, writePosition } from './read-feed-page.ts';
import { streamFeed } from './stream-feed.ts';

const longestWaitSeconds = 30;

/** The feed of events for API keys: a page, a page that waits for its first event, or a stream. */
export function eventFeedRoutes(serve: Serve, resources: Resources, followers: FeedFollowers): void {
  const { config, pool } = resources;

  serve.read(extensionOperations.getEvent, async ({ caller: { workspace_id }, params, query }) => {
    const form = readDataForm(query.event_data);
    const id = parseId('event', params.event_id);
    const payload = id && (await findPayload(pool, workspace_id, id));
    if (!payload) throw new Refusal('not_found');
    const shown = form === 'full' ? (await addDetails(pool, [{ workspace_id, payload }]))[0]! : payload;
    return JSON.parse(shown) as EventEnvelope;
  });

  serve.answer(extensionOperations.listEvents, async ({ input, request, reply }) => {
    const { after, types, limit, wait_seconds, event_data } = input.query;
    const { headers } = request;
    const caller = request.caller as KeyCaller;
    const { workspace_id } = caller;
    const count = Math.min(limit ?? config.pageSizeDefault, config.pageSizeMax);
    const reading = { workspace_id, types: readTypes(types), form: readDataForm(event_data), count };
    const isStream = headers.accept?.includes('text/event-stream') === true;
    const last_id = isStream ? [headers['last-event-id']].flat()[0] : undefined;
    const start = await readPosition(resources, workspace_id, last_id ?? after);
    const follower = followers.enter(caller, headers.authorization);
    // The client may have left while its position was read.
    onceClosed(reply.raw, follower.leave);
    if (isStream) {
      reply.hijack();
      const sent = Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]);
      await streamFeed(resources, { response: reply.raw, headers: Object.fromEntries(sent), follower, reading, start });
      return reply;
    }
    try {
      const ends_at = performance.now() + Math.min(wait_seconds ?? 0, longestWaitSeconds) * 1000;
      let place = start;
      for (;;) {
        const page = await readFeedPage(resources, reading, place);
        if (follower.end === 'revoked') {
          throw new Refusal('unauthorized', { headers: { 'WWW-Authenticate': 'Bearer' } });
        }
        const rest_ms = ends_at - performance.now();
        if (page.events.length > 0 || page.has_more || rest_ms <= 0 || follower.end !== undefined) {
          const data = page.events.map(({ payload }) => payload).join();
          const next = JSON.stringify(writePosition(resources, workspace_id, page.next));
          // The bytes of the envelopes, as receivers get them.
          return reply
            .type('application/json; charset=utf-8')
            .send(`{"data":[${data}],"next_position":${next},"has_more":${page.has_more}}`);
        }
        place = page.next;
        await follower.waitForNews(place.position, rest_ms);
      }
    } finally {
      follower.leave();
    }
  });
}
