import { cleanUp, within } from './cleanup.ts';

/** An event of a key's stream. */
export interface StreamedEvent {
  id: string;
  event: string;
  data: string;
}

export interface EventStream {
  events: StreamedEvent[];
  /** The last id, also that of a heartbeat. */
  id(): string;
  ended: Promise<void>;
  cut(): void;
}

/** Opens the stream of the events of a key. Fails where the service refuses it. */
export async function openEventStream(
  url: string,
  key: string,
  { query = '', after }: { query?: string; after?: string } = {},
): Promise<EventStream> {
  const end = new AbortController();
  const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' };
  cleanUp('an event stream', () => end.abort());
  const asked = fetch(`${url}/v1/events${query}`, {
    headers: after === undefined ? headers : { ...headers, 'last-event-id': after },
    signal: end.signal,
  });
  const response = await within(asked, 30_000, 'the head of the event stream');
  if (response.status !== 200) throw new Error(`the stream was refused: ${response.status}`);
  const events: StreamedEvent[] = [];
  let id = '';
  const read = async () => {
    let rest = '';
    for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + text).split('\n\n');
      rest = blocks.pop()!;
      for (const block of blocks) {
        const fields = Object.fromEntries(
          block.split('\n').map((line) => [line.split(':')[0], line.slice(line.indexOf(':') + 2)]),
        );
        if (fields.id) id = fields.id;
        if (fields.data) events.push({ id, event: fields.event!, data: fields.data });
      }
    }
  };
  return { events, id: () => id, ended: read().catch(() => {}), cut: () => end.abort() };
}
