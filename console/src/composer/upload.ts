import type { Media } from '@majlis/contract';
import { Failure, type FailureCode } from '../live/request.ts';

export interface Upload {
  done: Promise<Media>;
  cancel(): void;
}

const checkMs = 15_000;
/** The service itself ends an upload of less than 15 kB in 15 seconds, and buffers on the way hide for a while what moves. */
const patienceMs = 120_000;
/** After the last byte the service stores the file, on a disk or in a bucket that may be slow: 7 minutes for 100 MB. */
const patienceMsPerMb = 3_000;

/**
 * Uploads a file. `fetch` tells no progress of a request, so this is the one place with an XMLHttpRequest. An upload on which
 * nothing moves ends as failed: a network that dies without an error would keep its place for ever.
 */
export function uploadFile(workspace_id: string, file: File, onProgress: (part: number) => void): Upload {
  const call = new XMLHttpRequest();
  const silence = watchSilence(() => call.abort());
  const done = new Promise<Media>((resolve, reject) => {
    call.open('POST', `/console/v1/workspaces/${workspace_id}/media`);
    call.upload.onprogress = ({ loaded, total }) => {
      silence.allow(patienceMs);
      onProgress(total > 0 ? loaded / total : 0);
    };
    call.upload.onload = () => silence.allow(patienceMs + (file.size / 1_000_000) * patienceMsPerMb);
    call.onloadend = silence.stop;
    call.onload = () => {
      const answer = readJson(call.responseText);
      if (call.status === 201) resolve(answer as Media);
      else reject(new Failure((answer?.code as FailureCode) ?? 'service_unavailable'));
    };
    call.onerror = () => reject(new Failure('network'));
    call.onabort = () => reject(new Failure('network'));
    const form = new FormData();
    form.set('file', file, file.name);
    call.send(form);
  });
  return { done, cancel: () => call.abort() };
}

/** Calls `end` after a silence. It counts checks and not the time: a computer that slept has heard nothing meanwhile. */
function watchSilence(end: () => void) {
  let leftMs = patienceMs;
  const timer = setInterval(() => {
    leftMs -= checkMs;
    if (leftMs <= 0) end();
  }, checkMs);
  return {
    allow(ms: number) {
      leftMs = ms;
    },
    stop: () => clearInterval(timer),
  };
}

/** A proxy in front of the service may answer with a page of its own. */
function readJson(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
