import type { RestartableService } from '@majlis/testing/faults/restartable-service';

export interface RecordingClient {
  answers: string[];
  call(method: string, path: string, bearer: string, body?: unknown): Promise<string>;
}

const mostAnswerMs = 60_000;

/** A client that keeps every answer with its headers. */
export function createRecordingClient({ url }: RestartableService): RecordingClient {
  const answers: string[] = [];
  return {
    answers,
    async call(method, place, bearer, body) {
      const raw = typeof body === 'string' || body instanceof FormData;
      const signal = AbortSignal.timeout(mostAnswerMs);
      const response = await fetch(url + place, {
        signal,
        method,
        headers: {
          authorization: `Bearer ${bearer}`,
          ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: raw ? body : JSON.stringify(body) }),
      }).catch(() => undefined);
      const text = (await response?.text().catch(() => '')) ?? '';
      if (signal.aborted) throw new Error(`not answered within ${mostAnswerMs} ms: ${method} ${place}`);
      answers.push(`${JSON.stringify([...(response?.headers ?? [])])} ${text}`);
      return text;
    },
  };
}
