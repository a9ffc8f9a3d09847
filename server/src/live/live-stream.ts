import { randomInt } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { LiveEnd } from '@majlis/console-api';
import { endBy, frame } from './present.ts';
import type { LiveMembership } from './rights.ts';

/** Whose stream it is. */
export interface Listener {
  session_id: string;
  person_id: string;
  /** The workspace whose share of the streams it uses. Undefined for a person without one. */
  workspace_id: string | undefined;
}

/** The open answer of one browser. */
export interface LiveStream extends Listener {
  /** The id of the last event that the client has. */
  readonly after: string | undefined;
  /** Empty until the stream is ready. */
  memberships: LiveMembership[];
  /** Events up to here are not told. */
  position: number;
  isReady: boolean;
  write(text: string): void;
  end(reason: LiveEnd['reason']): void;
}

// A client that reads nothing is disconnected. It resumes when it reads again.
const mostUnreadBytes = 1_048_576;
// 1,000 streams that return after a restart arrive over these seconds (danger C7).
const retryMs = { from: 1_000, to: 5_000 };

export function openLiveStream(response: ServerResponse, listener: Listener, after: string | undefined): LiveStream {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    // nginx would gather the events.
    'X-Accel-Buffering': 'no',
  });
  const retry = () => `retry: ${randomInt(retryMs.from, retryMs.to)}\n`;
  response.write(`${retry()}\n`);
  return {
    ...listener,
    after,
    memberships: [],
    position: 0,
    isReady: false,
    write(text) {
      if (response.writableEnded) return;
      if (response.writableLength > mostUnreadBytes) response.destroy();
      else response.write(text);
    },
    end(reason) {
      if (!response.writableEnded) response.end(`${retry()}${frame(endBy(reason))}`);
    },
  };
}
