import { Failure, type FailureCode, request } from '../live/request.ts';

/** Leaves for the identity provider. Its page brings the person back to where they are, signed in. */
export async function visitProvider(invitation?: string): Promise<void> {
  const return_to = invitation === undefined ? location.pathname : '/';
  const { url } = await request<{ url: string }>('POST', '/sign-in/oidc', {
    return_to,
    ...(invitation !== undefined && { invitation }),
  });
  location.assign(url);
  // The page stays as it is until the browser has left it.
  await new Promise(() => {});
}

const channelName = 'majlis-confirmed';

/**
 * Asks the identity provider in a window of its own, so that the page keeps what the person has typed. The window cannot reach
 * this page across the provider, so it tells the result through a channel of this origin.
 */
export async function confirmWithProvider(onEnd: (failure: Failure | undefined) => void): Promise<void> {
  // The press allows a window now, and not after the answer of the server.
  const opened = open('', '_blank', 'popup,width=520,height=680');
  const { url } = await request<{ url: string }>('POST', '/confirm/oidc', {}).catch((error: unknown) => {
    opened?.close();
    throw error;
  });
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = ({ data }: MessageEvent<FailureCode | undefined>) => {
    channel.close();
    onEnd(data && new Failure(data));
  };
  (opened ?? window).location.assign(url);
}

/** Tells the page that asked how the visit ended, and closes the window if it is one. */
export function tellConfirmation(failed: FailureCode | undefined): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(failed);
  channel.close();
  close();
}
