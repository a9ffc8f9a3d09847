import type { Media } from '@majlis/contract';
import { Failure, type FailureCode } from '../live/request.ts';

export interface Upload {
  done: Promise<Media>;
  cancel(): void;
}

/** Uploads a file. `fetch` tells no progress of a request, so this is the one place with an XMLHttpRequest. */
export function uploadFile(workspace_id: string, file: File, onProgress: (part: number) => void): Upload {
  const call = new XMLHttpRequest();
  const done = new Promise<Media>((resolve, reject) => {
    call.open('POST', `/console/v1/workspaces/${workspace_id}/media`);
    call.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
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

/** A proxy in front of the service may answer with a page of its own. */
function readJson(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
