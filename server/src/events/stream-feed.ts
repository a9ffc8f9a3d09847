import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Resources } from '../process/resources.ts';
import type { FeedFollower } from './feed-followers.ts';
import { type FeedPlace, type FeedReading, readFeedPage, writePosition } from './read-feed-page.ts';

interface StreamFeed {
  response: ServerResponse;
  headers: Record<string, string>;
  follower: FeedFollower;
  reading: FeedReading;
  start: FeedPlace;
}

const retryMs = 2_000;

/**
 * Writes the events as server-sent events, until the client leaves, its key is revoked or the process ends. It reads on only
 * after the client has read, so a slow client occupies no memory.
 */
export async function streamFeed(resources: Resources, stream: StreamFeed): Promise<void> {
  const { response, headers, follower, reading, start } = stream;
  const { log, config } = resources;
  response.writeHead(200, {
    ...headers,
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    // nginx would gather the events.
    'X-Accel-Buffering': 'no',
  });
  const idOf = (place: FeedPlace) => writePosition(resources, reading.workspace_id, place);
  response.write(`retry: ${retryMs}\nid: ${idOf(start)}\n\n`);
  let place = start;
  while (follower.end === undefined) {
    const page = await readFeedPage(resources, reading, place).catch((err) => {
      log.debug({ err }, 'a stream of events could not read');
    });
    if (follower.end !== undefined) break;
    if (page) {
      const frames = page.events.map(
        ({ place, type, payload }) => `id: ${idOf(place)}\nevent: ${type}\ndata: ${payload}\n\n`,
      );
      place = page.next;
      if (frames.length > 0) response.write(frames.join(''));
      if (response.writableNeedDrain && !response.destroyed)
        await Promise.race([once(response, 'drain'), once(response, 'close')]);
      if (page.has_more) continue;
    }
    const heartbeat_ms = config.liveHeartbeatSeconds * 1000;
    const begun = performance.now();
    await follower.waitForNews(place.position, page ? heartbeat_ms : 1_000);
    // It keeps proxies from closing the connection, and moves a reader of rare types on.
    if (performance.now() - begun >= heartbeat_ms) response.write(`: \nid: ${idOf(place)}\n\n`);
  }
  if (follower.end !== 'left') response.end(`event: ended\ndata: {"reason":"${follower.end}"}\n\n`);
  follower.leave();
}
