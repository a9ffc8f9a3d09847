import type { AllUserHours, UserHours } from '@majlis/console-api';
import { useQuery } from '@tanstack/react-query';
import { useReread } from './live-query.ts';
import { request } from './request.ts';

const nobody: ReadonlySet<string> = new Set();
const minuteMs = 60_000;
const isSettings = ({ kind }: { kind: string }) => kind === 'settings';

export const workingHoursPath = (workspace_id: string) => `/workspaces/${workspace_id}/working-hours`;

const read = (path: string) => () => request<AllUserHours>('GET', path);

/** The hours of all users and who is at work, which every minute may change. */
export function useWorkingHours(workspace_id: string): readonly UserHours[] {
  const path = workingHoursPath(workspace_id);
  useReread(path, isSettings);
  return useQuery({ queryKey: [path], queryFn: read(path), refetchInterval: minuteMs }).data?.data ?? [];
}

/** The users who are outside of their working hours, read anew whenever a list of people opens. */
export function useOutsideHours(workspace_id: string, isShown: boolean): ReadonlySet<string> {
  const path = workingHoursPath(workspace_id);
  const { data } = useQuery({ queryKey: [path], queryFn: read(path), enabled: isShown });
  if (!data) return nobody;
  return new Set(data.data.filter(({ at_work }) => !at_work).map(({ user_id }) => user_id));
}
