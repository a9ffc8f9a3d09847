import { get, type IncomingMessage } from 'node:http';
import { get as getOverTls } from 'node:https';
import { cleanUp } from './cleanup.ts';
import { eventually } from './eventually.ts';
import type { AnyJson } from './json.ts';
import { onceWithin } from './once-within.ts';
import type { Browser } from './people.ts';

/** A live stream, and what it has told so far. */
export interface OpenStream {
  events: AnyJson[];
  /** The id of the last event, for a resume. */
  id(): string | undefined;
  /** The retry time that the server last asked for. */
  retryMs(): number | undefined;
  /** Waits for an event that fits. */
  until(fits: (event: AnyJson) => boolean): Promise<AnyJson>;
  /** Resolves when the connection has ended. */
  ended: Promise<void>;
  /** Breaks the connection. */
  cut(): void;
}

/** Opens the stream of a person, on a connection of its own. It is cut after the test. Fails where the server refuses it. */
export async function openStream(...of: Parameters<typeof connectStream>): Promise<OpenStream> {
  const stream = await connectStream(...of);
  await stream.until(({ kind }) => kind === 'ready');
  return stream;
}

/** Resolves once the server has taken the stream. What was missed is told later. */
export async function connectStream(
  { url }: { url: string },
  { cookies }: Pick<Browser, 'cookies'>,
  after?: string,
  onEvent: (event: AnyJson) => void = () => {},
): Promise<OpenStream> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = { cookie, 'sec-fetch-site': 'same-origin', ...(after !== undefined && { 'last-event-id': after }) };
  const call = url.startsWith('https:') ? getOverTls : get;
  const request = call(`${url}/console/v1/stream`, { headers, agent: false });
  cleanUp('a live stream', () => request.destroy());
  const [response] = (await onceWithin(request, 'response')) as [IncomingMessage];
  request.on('error', () => {});
  response.on('error', () => {});
  if (response.statusCode !== 200) {
    request.destroy();
    throw new Error(`the stream was refused: ${response.statusCode}`);
  }
  const events: AnyJson[] = [];
  let id: string | undefined;
  let retry: number | undefined;
  let rest = '';
  response.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines) read(line);
  });

  function read(line: string): void {
    if (line.startsWith('id: ')) id = line.slice(4);
    if (line.startsWith('retry: ')) retry = Number(line.slice(7));
    if (!line.startsWith('data: ')) return;
    events.push(JSON.parse(line.slice(6)));
    onEvent(events.at(-1));
  }
  const stream: OpenStream = {
    events,
    id: () => id,
    retryMs: () => retry,
    async until(fits) {
      await eventually(
        () => events,
        (all) => all.some(fits),
      );
      return events.find(fits);
    },
    ended: new Promise((resolve) => void response.once('close', resolve)),
    cut: () => void request.destroy(),
  };
  return stream;
}
