import type { ToolSet } from 'ai';
import { storableText } from '../database/storable-text.ts';
import type { AiSettings } from '../process/config.ts';
import { ModelFailure, readFailure } from './model-failure.ts';

export interface Writing {
  /** Ours alone: nothing that a customer or a document says becomes a part of it. */
  instructions: string;
  /** What there is to work on, as data. */
  material: string;
  tools?: ToolSet;
}

/** Told of tokens as they are used, so that what failed half-way is counted too. */
export type Meter = (tokens: number) => void;

export interface Model {
  /** Answers the text that the model wrote, which can be stored; throws ModelFailure. Undefined where no language model is named. */
  write: ((writing: Writing, meter: Meter) => Promise<string>) | undefined;
  /** Answers a vector for each text, in their order. Undefined where no embedding model is named. */
  embed: ((texts: string[], meter: Meter) => Promise<number[][]>) | undefined;
}

interface ModelOptions {
  ai: AiSettings | undefined;
  /** For one call of ours, with all its tries. */
  timeout_ms: number;
}

const mostTries = 3;
const pausesMs = [300, 1_200];
const mostSteps = 4;
const mostTokens = 1_500;
// Longer than so many tokens can be: a server that knows no end is left.
const mostLetters = 20_000;

/** Any model behind the OpenAI protocol. The library is loaded with the first call: most processes never make one. */
export function createModel({ ai, timeout_ms }: ModelOptions): Model {
  const load = async () => {
    const [library, { createOpenAICompatible }] = await Promise.all([
      import('ai'),
      import('@ai-sdk/openai-compatible'),
    ]);
    globalThis.AI_SDK_LOG_WARNINGS = false;
    const { baseUrl, apiKey } = ai!;
    const provider = createOpenAICompatible({
      name: 'majlis',
      baseURL: baseUrl,
      includeUsage: true,
      ...(apiKey !== undefined && { apiKey }),
    });
    return { library, provider };
  };
  let loaded: ReturnType<typeof load> | undefined;
  const open = () => {
    loaded ??= load();
    return loaded;
  };

  async function writeOnce({ instructions, material, tools }: Writing, meter: Meter, signal: AbortSignal) {
    const { library, provider } = await open();
    const { stream } = library.streamText({
      model: provider(ai!.model!),
      instructions,
      prompt: material,
      ...(tools && { tools, stopWhen: library.isStepCount(mostSteps) }),
      maxOutputTokens: mostTokens,
      maxRetries: 0,
      abortSignal: signal,
      onError() {},
    });
    let text = '';
    for await (const part of stream) {
      // What was said beside a call of a tool is no answer.
      if (part.type === 'start-step') text = '';
      if (part.type === 'text-delta') text += part.text;
      if (part.type === 'finish-step') meter(part.usage.totalTokens ?? estimate(instructions + material + text));
      if (part.type === 'error') throw part.error;
      if (part.type === 'abort') signal.throwIfAborted();
      if (text.length > mostLetters) throw new ModelFailure('the model wrote without end');
    }
    // Not chunk by chunk: one may end between the halves of a surrogate pair.
    return storableText(text.replace(/^\s*<think>[\s\S]*?<\/think>/, '')).trim();
  }

  async function write(writing: Writing, meter: Meter): Promise<string> {
    return persist(timeout_ms, async (signal, last) => {
      // A server that cannot use tools refuses the request: what it needs is in the material anyway.
      const isRefused = last?.status !== undefined && [400, 404, 422, 501].includes(last.status);
      const { tools, ...plain } = writing;
      if (isRefused && !tools) throw last;
      return writeOnce(isRefused ? plain : writing, meter, signal);
    });
  }

  async function embed(texts: string[], meter: Meter): Promise<number[][]> {
    return persist(timeout_ms, async (abortSignal) => {
      const { library, provider } = await open();
      const model = provider.embeddingModel(ai!.embeddingModel!);
      const { embeddings, usage } = await library.embedMany({ model, values: texts, maxRetries: 0, abortSignal });
      meter(Number.isFinite(usage.tokens) ? usage.tokens : estimate(texts.join('')));
      if (embeddings.length !== texts.length) throw new ModelFailure('the model answered what cannot be read');
      return embeddings;
    });
  }

  return { write: ai?.model ? write : undefined, embed: ai?.embeddingModel ? embed : undefined };
}

/** Tries again what may succeed, until the time is over. */
async function persist<Result>(
  timeout_ms: number,
  attempt: (signal: AbortSignal, last: ModelFailure | undefined) => Promise<Result>,
): Promise<Result> {
  const signal = AbortSignal.timeout(timeout_ms);
  let last: ModelFailure | undefined;
  for (let tries = 1; ; tries++) {
    try {
      return await orAborted(attempt(signal, last), signal);
    } catch (error) {
      last = readFailure(error, signal);
      if (tries === mostTries || !last.is_worth_a_try || signal.aborted) throw last;
      await new Promise((resolve) => setTimeout(resolve, pausesMs[tries - 1]));
    }
  }
}

/** A library that does not hear the signal is not waited for. */
function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    // Work under an aborted signal fails too: without a listener that failure ends the process.
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

/** Where the server does not tell: four letters to a token. */
function estimate(text: string): number {
  return Math.ceil(text.length / 4);
}
