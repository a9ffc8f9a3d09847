import { tolerantFetch } from '../outbound/tolerant-fetch.ts';
import { ModelFailure } from './model-failure.ts';

// Far above an answer of the allowed length, even with the thoughts of the model.
const maxBytes = 1_000_000;

/** Fetches an answer. Some servers ignore `stream` and answer one JSON document: it becomes a stream of one event. */
export async function fetchAnswer(url: Parameters<typeof fetch>[0], request?: RequestInit): Promise<Response> {
  const response = await tolerantFetch(url, request);
  const isPlain = /^application\/json\b/i.test(response.headers.get('content-type') ?? '');
  if (!response.ok || !isPlain || !response.body || !asksForStream(request?.body)) return response;
  const text = toEvents(await readText(response.body));
  return new Response(text, { status: response.status, headers: { 'content-type': 'text/event-stream' } });
}

function asksForStream(body: unknown): boolean {
  return typeof body === 'string' && (JSON.parse(body) as { stream?: boolean }).stream === true;
}

async function readText(body: ReadableStream<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new ModelFailure('the model wrote without end');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

interface PlainAnswer {
  choices?: { message?: { tool_calls?: object[] | null }; finish_reason?: string | null }[];
}

/** Leaves text that is no answer as it is: it may be a stream under the wrong type. */
function toEvents(text: string): string {
  let answer: PlainAnswer | null;
  try {
    answer = JSON.parse(text) as PlainAnswer | null;
  } catch {
    return text;
  }
  const choices = Array.isArray(answer?.choices) ? answer.choices.map(toDelta) : undefined;
  return `data: ${JSON.stringify(choices ? { ...answer, choices } : answer)}\n\ndata: [DONE]\n\n`;
}

function toDelta(choice: NonNullable<PlainAnswer['choices']>[number]): object {
  const { message, finish_reason } = choice ?? {};
  const calls = Array.isArray(message?.tool_calls) ? message.tool_calls : [];
  const tool_calls = calls.map((call, index) => ({ ...call, index }));
  return { index: 0, delta: { ...message, tool_calls }, finish_reason: finish_reason ?? 'stop' };
}
