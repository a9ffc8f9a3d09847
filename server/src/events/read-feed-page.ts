import { allEventTypes, type EventDataForm, eventTypes, limits } from '@majlis/contract';
import { invalid, Refusal } from '../http/reply/refusal.ts';
import type { Resources } from '../process/resources.ts';
import { addDetails } from './add-details.ts';
import { readHead, type ScannedEvent, scanFeed } from './read-feed.ts';

/** A place in the feed, and the time of what stands there. */
export interface FeedPlace {
  position: number;
  at_ms: number;
}

/** What a reader wants to read. */
export interface FeedReading {
  workspace_id: string;
  types: readonly string[];
  form: EventDataForm;
  count: number;
}

export interface FeedPage {
  events: { place: FeedPlace; type: string; payload: string }[];
  next: FeedPlace;
  has_more: boolean;
}

const scope = 'listEvents';
const scannedAtOnce = 1_000;
// The clean-up deletes by the time of an id, and a transaction may commit a little later.
const margin_ms = 3_600_000;
const kept_ms = limits.webhook.delivery_history_seconds * 1000 - margin_ms;

export function writePosition({ cursors }: Resources, workspace_id: string, { position, at_ms }: FeedPlace): string {
  return cursors.encode({ workspace_id, scope, position: [String(position), String(at_ms)] });
}

/** Reads a position. Refuses one behind which events may have been deleted: its reader would miss them unnoticed. */
export async function readPosition(
  { cursors, clock, pool }: Resources,
  workspace_id: string,
  text: string | undefined,
): Promise<FeedPlace> {
  const at_ms = clock.nowMs();
  if (text === undefined) return { position: 0, at_ms };
  if (text === 'latest') return { position: await readHead(pool), at_ms };
  const [position, at] = cursors.decode(text, { workspace_id, scope }) ?? [];
  if (position === undefined) throw invalid({ detail: 'is not a position of this feed', pointer: '/after' });
  if (clock.nowMs() - Number(at) > kept_ms) throw new Refusal('position_too_old');
  return { position: Number(position), at_ms: Number(at) };
}

/** Absent: the types of the contract, as `*` of an endpoint. Refuses a type that no event has: its reader would wait for ever. */
export function readTypes(text: string | undefined): readonly string[] {
  if (text === undefined || text === '') return eventTypes;
  const types = text.split(',').map((type) => type.trim());
  const unknown = types.find((type) => !(allEventTypes as readonly string[]).includes(type));
  if (unknown === undefined) return types;
  throw invalid({
    detail: `must be one or more of ${allEventTypes.join(', ')}, with commas between them`,
    pointer: '/types',
  });
}

/** Reads the next events. A page without events may have more behind it, of a type that was asked for. */
export async function readFeedPage(resources: Resources, reading: FeedReading, after: FeedPlace): Promise<FeedPage> {
  const page = await readStoredPage(resources, reading, after);
  if (reading.form === 'basic') return page;
  const { workspace_id } = reading;
  const payloads = await addDetails(
    resources.pool,
    page.events.map(({ payload }) => ({ workspace_id, payload })),
  );
  return { ...page, events: page.events.map((event, index) => ({ ...event, payload: payloads[index]! })) };
}

async function readStoredPage(
  { pool, clock, config }: Resources,
  { workspace_id, types, count }: FeedReading,
  after: FeedPlace,
): Promise<FeedPage> {
  // The time and the head precede the scan: what is committed later stands behind the head.
  const now_ms = clock.nowMs();
  const head = await readHead(pool);
  const scanned = await scanFeed(pool, { workspace_id, after: after.position, count: scannedAtOnce, types });
  const events: FeedPage['events'] = [];
  let bytes = 0;
  for (const event of scanned) {
    if (event.payload === null) continue;
    bytes += event.payload.length;
    const isFull = events.length === count || (events.length > 0 && bytes > config.pageBytesMax);
    if (isFull) return { events, next: events.at(-1)!.place, has_more: true };
    events.push({ place: placeOf(event), type: event.type, payload: event.payload });
  }
  if (scanned.length === scannedAtOnce) return { events, next: placeOf(scanned.at(-1)!), has_more: true };
  const position = Math.max(head, after.position, scanned.at(-1)?.position ?? 0);
  return { events, next: { position, at_ms: now_ms }, has_more: false };
}

/** The first 48 bits of an id are the time of its making. */
function placeOf({ position, id }: ScannedEvent): FeedPlace {
  return { position, at_ms: Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) };
}
