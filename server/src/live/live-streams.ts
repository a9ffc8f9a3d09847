import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { LiveReady, LiveReset } from '@majlis/console-api';
import type { Logger } from 'pino';
import { hasShare } from '../concurrency/has-share.ts';
import { publicId } from '../database/ids.ts';
import type { Pool } from '../database/pool.ts';
import { onceClosed } from '../http/reply/once-closed.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { findOpenSessions } from '../people/sessions.ts';
import type { Clock } from '../process/clock.ts';
import { consoleVersion } from '../process/version.ts';
import { deliverChanges } from './deliver-changes.ts';
import { type FedChange, type FeedHead, readChanges, readHead } from './feed.ts';
import { type Listener, type LiveStream, openLiveStream } from './live-stream.ts';
import { frame, resetBy } from './present.ts';
import { liveIdOf } from './read-live-id.ts';
import { type RowsOfChange, readRowsOf } from './read-rows-of.ts';
import { type LiveMembership, readRights } from './rights.ts';
import type { ReadToldRows } from './told-rows.ts';

/** The live streams of this process. */
export interface LiveStreams {
  /** Refuses a stream beyond the bounds. Answers the workspace whose share it uses. */
  admit(person_id: string): Promise<string | undefined>;
  open(response: ServerResponse, listener: Listener, after: string | undefined): void;
  /** How many streams are open. */
  count(): number;
  /** Ends every stream. The clients connect again over a few seconds. */
  close(): void;
}

interface CreateLiveStreams {
  pool: Pool;
  clock: Clock;
  log: Pick<Logger, 'debug'>;
  streams_max: number;
  heartbeat_seconds: number;
  readRows: ReadToldRows;
}

const streamsPerPerson = 20;
// A poll costs 0.1 ms, and only while there are streams. A NOTIFY in each transaction would halve the throughput of sends.
const pollEveryMs = 60;
const checkEveryMs = 2_000;
const changesAtOnce = 1_000;
const noRows: RowsOfChange = () => undefined;
// A client that is further behind reads everything again, which costs less.
const mostBehind = 5_000;

/**
 * One reader for all streams of the process, while there are any. It works in turns, one after the other: a stream that joins
 * between two turns misses nothing between its past and its future.
 */
export function createLiveStreams(options: CreateLiveStreams): LiveStreams {
  const { pool, clock, log, streams_max, heartbeat_seconds, readRows } = options;
  const streams = new Set<LiveStream>();
  let closed = false;
  let running = false;
  let wake = new AbortController();
  /** All changes up to its position are told. */
  let last: FeedHead = { epoch: '', position: 0, forgotten: 0 };
  let checked_at = 0;
  const idOf = (position: number) => liveIdOf(last.epoch, position);
  const readyStreams = () => [...streams].filter(({ isReady }) => isReady);

  async function run(): Promise<void> {
    running = true;
    const heartbeat = setInterval(beat, heartbeat_seconds * 1000);
    while (streams.size > 0) {
      wake = new AbortController();
      await takeTurn().catch((err) => log.debug({ err }, 'the live streams could not read the changes'));
      await pause(pollEveryMs, undefined, wake).catch(() => {});
    }
    clearInterval(heartbeat);
    last = { epoch: '', position: 0, forgotten: 0 };
    running = false;
  }

  async function takeTurn(): Promise<void> {
    const head = await readHead(pool);
    if (last.epoch !== head.epoch || last.position > head.position) {
      // The first turn, or PostgreSQL has crashed and emptied the feed.
      last = head;
      for (const stream of readyStreams()) tellReset(stream, 'too_old');
    }
    if (performance.now() - checked_at > checkEveryMs) await checkStreams();
    while (last.position < head.position) await tellNext(head);
    await welcome(head);
  }

  async function tellNext(head: FeedHead): Promise<void> {
    const told = readyStreams();
    const changes = await readBehind(last.position, head.position, told, changesAtOnce);
    // Rights first: nobody is told a change that came after the loss of a right.
    if (changes.some(({ kind }) => kind === 'rights')) await refreshRights(told);
    const rowsOf = await readRowsOf(changes, told, readRows).catch((err) => {
      log.debug({ err }, 'the live streams could not read the rows of the changes');
      return noRows;
    });
    deliverChanges(changes, { streams: told, idOf, rowsOf });
    last = { ...head, position: changes.length < changesAtOnce ? head.position : changes.at(-1)!.position };
  }

  /** Tells the streams that joined since the last turn what they missed. They then stand where all others do. */
  async function welcome(head: FeedHead): Promise<void> {
    const joined = [...streams].filter(({ isReady }) => !isReady);
    if (joined.length === 0) return;
    const rights = await readRights(pool, personsOf(joined));
    for (const stream of joined) {
      stream.memberships = rights.get(stream.person_id)!;
      stream.position = positionOf(stream.after, head) ?? last.position;
    }
    // A thousand streams that return at once share one read.
    const from = joined.reduce((least, { position }) => Math.min(least, position), last.position);
    const missed = from < last.position ? await readBehind(from, last.position, joined, mostBehind + 1) : [];
    for (const stream of joined) {
      const reason = resetReason(stream, head, missed);
      if (reason) stream.position = last.position;
      stream.write(frame(readyFor(stream), idOf(stream.position)));
      if (reason) tellReset(stream, reason);
      stream.isReady = true;
    }
    deliverChanges(missed, { streams: joined, idOf, rowsOf: noRows });
    for (const stream of joined) stream.position = last.position;
  }

  function resetReason(
    stream: LiveStream,
    head: FeedHead,
    missed: readonly FedChange[],
  ): LiveReset['reason'] | undefined {
    if (stream.after === undefined) return undefined;
    const isTooOld = positionOf(stream.after, head) === undefined || missed.length > mostBehind;
    if (isTooOld) return 'too_old';
    const own = new Set(stream.memberships.map(({ user_id }) => user_id));
    const isOwn = ({ kind, object_id, position }: FedChange) =>
      kind === 'rights' && own.has(object_id!) && position > stream.position;
    return missed.some(isOwn) ? 'rights' : undefined;
  }

  function tellReset(stream: LiveStream, reason: LiveReset['reason']): void {
    stream.position = last.position;
    stream.write(frame(resetBy(reason), idOf(last.position)));
  }

  function readyFor({ memberships }: LiveStream): LiveReady {
    const workspaces = memberships.map(({ workspace_id }) => publicId('workspace', workspace_id));
    return { kind: 'ready', now: clock.now().toISOString(), version: consoleVersion, workspaces };
  }

  function readBehind(after: number, to: number, of: readonly LiveStream[], count: number): Promise<FedChange[]> {
    const ids = of.flatMap(({ memberships }) => memberships.map(({ workspace_id }) => workspace_id));
    return readChanges(pool, { after, to, workspace_ids: [...new Set(ids)], count });
  }

  /** Ends the streams of sessions that have ended, and follows changes of rights. */
  async function checkStreams(): Promise<void> {
    // The time of the reading: a session may end while the answer is on its way.
    const read_at = performance.now();
    const all = readyStreams();
    const ids = all.map(({ session_id }) => session_id);
    const open = new Set(await findOpenSessions(pool, clock, ids));
    for (const stream of all) if (!open.has(stream.session_id)) stream.end('signed_out');
    await refreshRights(all.filter(({ session_id }) => open.has(session_id)));
    checked_at = read_at;
  }

  async function refreshRights(of: readonly LiveStream[]): Promise<void> {
    const rights = await readRights(pool, personsOf(of));
    for (const stream of of) {
      const memberships = rights.get(stream.person_id)!;
      if (JSON.stringify(memberships) === JSON.stringify(stream.memberships)) continue;
      stream.memberships = memberships;
      if (memberships.length === 0) stream.end('not_a_member');
      else tellReset(stream, 'rights');
    }
  }

  /**
   * The workspace with the fewest streams among these, whose share a stream uses: a full one shuts nobody out of the others. People
   * without a workspace have a share together.
   */
  function leastUsed(memberships: readonly LiveMembership[]): { workspace_id: string | undefined; count: number } {
    const counts = Map.groupBy(streams, ({ workspace_id }) => workspace_id);
    const ids = memberships.length === 0 ? [undefined] : memberships.map(({ workspace_id }) => workspace_id);
    const uses = ids.map((workspace_id) => ({ workspace_id, count: counts.get(workspace_id)?.length ?? 0 }));
    return uses.reduce((least, use) => (use.count < least.count ? use : least));
  }

  /** Keeps proxies from closing the connection, and tells a client of a quiet workspace how far it is. */
  function beat(): void {
    for (const stream of streams) stream.write(stream.isReady ? `: \nid: ${idOf(last.position)}\n\n` : ': \n\n');
  }

  return {
    async admit(person_id) {
      const memberships = (await readRights(pool, [person_id])).get(person_id)!;
      const own = [...streams].filter((stream) => stream.person_id === person_id);
      if (own.length >= streamsPerPerson) throw new Refusal('too_many_streams');
      const { workspace_id, count } = leastUsed(memberships);
      if (hasShare({ places: streams_max, taken: streams.size, own: count })) return workspace_id;
      throw new Refusal('service_unavailable', { headers: { 'Retry-After': '5' } });
    },
    open(response, listener, after) {
      const stream = openLiveStream(response, listener, after);
      streams.add(stream);
      // The client may have left while its session was read.
      onceClosed(response, () => streams.delete(stream));
      if (closed) return stream.end('restart');
      if (running) wake.abort();
      else void run();
    },
    count: () => streams.size,
    close() {
      closed = true;
      for (const stream of streams) stream.end('restart');
    },
  };
}

function personsOf(streams: readonly LiveStream[]): string[] {
  return [...new Set(streams.map(({ person_id }) => person_id))];
}

/** The position of an event id. Undefined where the changes behind it are not all kept. */
function positionOf(after: string | undefined, { epoch, position, forgotten }: FeedHead): number | undefined {
  const [, life, digits] = /^(\w{8})-(\d{1,15})$/.exec(after ?? '') ?? [];
  const at = Number(digits);
  return life === epoch && at >= forgotten && at <= position ? at : undefined;
}
