import { Agent, type RequestInit as UndiciRequest, fetch as undiciFetch } from 'undici';
import { buildTolerantConnector } from './accept-continue.ts';

// The library's own agent, because the global `fetch` takes no connector.
const dispatcher = new Agent({ connect: buildTolerantConnector({ allowH2: false }), allowH2: false });

/** `fetch` for libraries that call others for us. It takes a `100 Continue` that nobody asked for. */
export const tolerantFetch = ((url: string | URL, request?: RequestInit) =>
  undiciFetch(url, { ...(request as unknown as UndiciRequest), dispatcher })) as unknown as typeof fetch;
