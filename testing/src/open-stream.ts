import { eventually } from './eventually.ts';
import type { AnyJson } from './json.ts';
import type { Browser } from './people.ts';

/** A live stream, and what it has told so far. */
export interface OpenStream {
  /** Without the comments. */
  events: AnyJson[];
  /** Every block as it came. */
  blocks: string[];
  /** The id of the last event, for a resume. */
  id(): string | undefined;
  /** The retry time that the server last asked for. */
  retryMs(): number | undefined;
  /** Waits for an event that fits. */
  until(fits: (event: AnyJson) => boolean): Promise<AnyJson>;
  /** Resolves when the server has ended the stream. */
  ended: Promise<void>;
  /** Breaks the connection. */
  cut(): void;
}

/** Opens the stream of a person. Fails where the server refuses it. */
export async function openStream(
  { url }: { url: string },
  browser: Pick<Browser, 'cookies'>,
  after?: string,
): Promise<OpenStream> {
  const abort = new AbortController();
  const response = await fetch(`${url}/console/v1/stream`, {
    headers: {
      cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'sec-fetch-site': 'same-origin',
      ...(after !== undefined && { 'last-event-id': after }),
    },
    signal: abort.signal,
  });
  if (response.status !== 200) throw new Error(`the stream was refused: ${response.status} ${await response.text()}`);
  const events: AnyJson[] = [];
  const blocks: string[] = [];
  let id: string | undefined;
  let retry: number | undefined;

  function read(block: string): void {
    blocks.push(block);
    for (const line of block.split('\n')) {
      if (line.startsWith('id: ')) id = line.slice(4);
      if (line.startsWith('retry: ')) retry = Number(line.slice(7));
      if (line.startsWith('data: ')) events.push(JSON.parse(line.slice(6)));
    }
  }
  async function follow(): Promise<void> {
    let rest = '';
    const decoder = new TextDecoder();
    for await (const bytes of response.body!) {
      const parts = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
      rest = parts.pop()!;
      for (const block of parts) read(block);
    }
  }
  const stream: OpenStream = {
    events,
    blocks,
    id: () => id,
    retryMs: () => retry,
    async until(fits) {
      await eventually(
        () => events,
        (all) => all.some(fits),
      );
      return events.find(fits);
    },
    ended: follow().catch((error) => {
      if (!abort.signal.aborted) throw error;
    }),
    cut: () => abort.abort(),
  };
  stream.ended.catch(() => {});
  await stream.until(({ kind }) => kind === 'ready');
  return stream;
}
