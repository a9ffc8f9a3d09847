import type { ToolSet } from 'ai';
import { storableText } from '../database/storable-text.ts';
import type { AiSettings } from '../process/config.ts';
import { fetchAnswer } from './fetch-answer.ts';
import { ModelFailure, toModelFailure } from './model-failure.ts';

export interface WriteRequest {
  /** Our text alone, without any text of customers or documents. */
  instructions: string;
  /** The data of the task. */
  material: string;
  tools?: ToolSet;
}

/** Receives token counts during a call, so that a failed call counts too. */
export type Meter = (tokens: number) => void;

export interface Model {
  /** Returns text that PostgreSQL can store. Throws ModelFailure. Undefined without a language model. */
  write: ((writing: WriteRequest, meter: Meter) => Promise<string>) | undefined;
  /** Returns a vector for each text, in order. Throws ModelFailure. Undefined without an embedding model. */
  embed: ((texts: string[], meter: Meter) => Promise<number[][]>) | undefined;
}

interface ModelOptions {
  ai: AiSettings | undefined;
  /** For one call with all its attempts. */
  timeout_ms: number;
}

const maxAttempts = 3;
const pauses_ms = [300, 1_200];
const maxSteps = 4;
const maxTokens = 1_500;
// Above the length of `maxTokens`: stops a server that does not end its answer.
const maxChars = 20_000;

/** A model behind the OpenAI protocol. The first call loads the library: most processes never make one. */
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
      fetch: fetchAnswer,
      ...(apiKey !== undefined && { apiKey }),
    });
    return { library, provider };
  };
  let loaded: ReturnType<typeof load> | undefined;
  const open = () => {
    loaded ??= load();
    return loaded;
  };

  async function writeOnce({ instructions, material, tools }: WriteRequest, meter: Meter, signal: AbortSignal) {
    const { library, provider } = await open();
    const { stream } = library.streamText({
      model: provider(ai!.model!),
      instructions,
      prompt: material,
      ...(tools && { tools, stopWhen: library.isStepCount(maxSteps) }),
      maxOutputTokens: maxTokens,
      maxRetries: 0,
      abortSignal: signal,
      onError() {},
    });
    let text = '';
    for await (const part of stream) {
      // Text beside a tool call is no answer.
      if (part.type === 'start-step') text = '';
      if (part.type === 'text-delta') text += part.text;
      if (part.type === 'finish-step') meter(part.usage.totalTokens ?? estimateTokens(instructions + material + text));
      if (part.type === 'error') throw part.error;
      if (part.type === 'abort') signal.throwIfAborted();
      if (text.length > maxChars) throw new ModelFailure('the model wrote without end');
    }
    // Cleaned as a whole: a chunk may end inside a surrogate pair.
    return storableText(text.replace(/^\s*<think>[\s\S]*?<\/think>/, '')).trim();
  }

  async function write(writing: WriteRequest, meter: Meter): Promise<string> {
    return withRetries(timeout_ms, async (signal, last) => {
      // A server without tools refuses the request. The material contains the knowledge, so retry without tools.
      const isRefused = last?.status !== undefined && [400, 404, 422, 501].includes(last.status);
      const { tools, ...plain } = writing;
      if (isRefused && !tools) throw last;
      return writeOnce(isRefused ? plain : writing, meter, signal);
    });
  }

  async function embed(texts: string[], meter: Meter): Promise<number[][]> {
    return withRetries(timeout_ms, async (abortSignal) => {
      const { library, provider } = await open();
      const model = provider.embeddingModel(ai!.embeddingModel!);
      const { embeddings, usage } = await library.embedMany({ model, values: texts, maxRetries: 0, abortSignal });
      meter(Number.isFinite(usage.tokens) ? usage.tokens : estimateTokens(texts.join('')));
      if (embeddings.length !== texts.length) throw new ModelFailure('the answer of the model could not be read');
      return embeddings;
    });
  }

  return { write: ai?.model ? write : undefined, embed: ai?.embeddingModel ? embed : undefined };
}

/** Retries retryable failures until the timeout. */
async function withRetries<Result>(
  timeout_ms: number,
  attempt: (signal: AbortSignal, last: ModelFailure | undefined) => Promise<Result>,
): Promise<Result> {
  const signal = AbortSignal.timeout(timeout_ms);
  let last: ModelFailure | undefined;
  for (let attempts = 1; ; attempts++) {
    try {
      return await abortable(attempt(signal, last), signal);
    } catch (error) {
      last = toModelFailure(error, signal);
      if (attempts === maxAttempts || !last.is_retryable || signal.aborted) throw last;
      await new Promise((resolve) => setTimeout(resolve, pauses_ms[attempts - 1]));
    }
  }
}

/** Rejects on abort even if the library ignores the signal. */
function abortable<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    // Work under an aborted signal fails too: without a listener that failure ends the process.
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

/** For servers that report no tokens: four characters each. */
function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
