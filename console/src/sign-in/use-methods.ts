import type { SignInMethods } from '@majlis/console-api';
import { useQuery } from '@tanstack/react-query';
import { request } from '../live/request.ts';

/** The ways to sign in to this installation. */
export function useMethods(): SignInMethods | undefined {
  const { data } = useQuery({ queryKey: ['methods'], queryFn: () => request<SignInMethods>('GET', '/sign-in') });
  return data;
}
