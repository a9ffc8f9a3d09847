import type { SignInMethods } from '@majlis/console-api';
import { createFollowed, useFollowed } from '../live/followed.ts';
import { request } from '../live/request.ts';

const methods = createFollowed(() => request<SignInMethods>('GET', '/sign-in'));

/** The ways to sign in to this installation. */
export function useMethods(): SignInMethods | undefined {
  return useFollowed(methods).data;
}
