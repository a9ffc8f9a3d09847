import { createServer, type ServerResponse } from 'node:http';
import type { AnyJson } from './json.ts';
import { listen } from './listen.ts';

/** One request to the model server. */
export interface ModelRequest {
  path: string;
  authorization: string | undefined;
  /** The raw body. */
  text: string;
  body: AnyJson;
}

/** The model's answer: a text, or calls of tools with their arguments. */
export type Saying = string | { tool: string; input: unknown }[];

export interface ModelServer {
  /** As AI_BASE_URL takes it. */
  url: string;
  requests: ModelRequest[];
  /** Sets the streamed answer. */
  say(saying: Saying | ((request: ModelRequest) => Saying | Promise<Saying>)): void;
  /** Sets the answer of a server that does not stream: one JSON document. */
  sayPlainly(saying: Saying | ((request: ModelRequest) => Saying)): void;
  /** Sets the HTTP answer; a number is the status of a refusal. */
  answer(play: number | ((request: ModelRequest, response: ServerResponse) => unknown)): void;
  /** Sets the function of embeddings. If it throws, the answer is malformed. */
  embed(vectorOf: (text: string) => number[]): void;
}

/** A model server with the OpenAI protocol. It ends after the test file. */
export async function startModelServer(): Promise<ModelServer> {
  let play: (request: ModelRequest, response: ServerResponse) => unknown = (_, response) => stream(response, 'Hello.');
  let vectorOf = (text: string) => [text.length, 1];
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await Array.fromAsync(request)).toString();
    const { authorization } = request.headers;
    const asked: ModelRequest = { path: request.url!, authorization, text, body: JSON.parse(text) };
    models.requests.push(asked);
    if (asked.path.endsWith('/embeddings')) {
      response.writeHead(200, json).end(embeddingsOf(asked));
    } else await play(asked, response);
  });
  function embeddingsOf({ body }: ModelRequest): string {
    try {
      const data = (body.input as string[]).map((input, index) => ({ index, embedding: vectorOf(input) }));
      return JSON.stringify({ data, usage: { prompt_tokens: 10, total_tokens: 10 } });
    } catch {
      return 'out of order';
    }
  }
  const models: ModelServer = {
    url: `${await listen(server)}/v1`,
    requests: [],
    say(saying) {
      play = async (request, response) =>
        stream(response, typeof saying === 'function' ? await saying(request) : saying);
    },
    sayPlainly(saying) {
      play = (request, response) =>
        response.writeHead(200, json).end(plainAnswer(typeof saying === 'function' ? saying(request) : saying));
    },
    answer(next) {
      play =
        typeof next === 'function'
          ? next
          : (_, response) => response.writeHead(next, json).end(JSON.stringify({ error: { message: 'Scripted.' } }));
    },
    embed(next) {
      vectorOf = next;
    },
  };
  return models;
}

const json = { 'content-type': 'application/json' };

/** Streams like servers of the protocol: chunks of some letters, then the usage, then `[DONE]`. */
function stream(response: ServerResponse, saying: Saying): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (delta: object, finish_reason: string | null = null) =>
    response.write(`data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
  send({ role: 'assistant', content: '' });
  if (typeof saying === 'string') {
    for (const content of saying.match(/[\s\S]{1,20}/gu) ?? []) send({ content });
  } else for (const [index, call] of callsOf(saying).entries()) send({ tool_calls: [{ index, ...call }] });
  send({}, finishOf(saying));
  response.write(`data: ${JSON.stringify({ ...head, choices: [], usage })}\n\n`);
  response.end('data: [DONE]\n\n');
}

function plainAnswer(saying: Saying): string {
  const said = typeof saying === 'string' ? { content: saying } : { content: null, tool_calls: callsOf(saying) };
  const choice = { index: 0, message: { role: 'assistant', ...said }, finish_reason: finishOf(saying) };
  return JSON.stringify({ ...head, object: 'chat.completion', choices: [choice], usage });
}

function callsOf(saying: Exclude<Saying, string>) {
  return saying.map(({ tool, input }, index) => ({
    id: `call_${index}`,
    type: 'function',
    function: { name: tool, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
  }));
}

const finishOf = (saying: Saying) => (typeof saying === 'string' ? 'stop' : 'tool_calls');

const usage = { prompt_tokens: 900, completion_tokens: 300, total_tokens: 1_200 };

const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'test' };
