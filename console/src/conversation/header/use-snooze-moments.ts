import { useBusinessHours, useWorkspace } from '../../live/directory.ts';
import { serverNow } from '../../live/session.ts';
import { type SnoozeChoice, snoozeMoments } from './snooze-times.ts';

interface SnoozeMoments {
  timezone: string;
  /** What is offered now. Undefined until the hours of the workspace are read. */
  read(): { choice: SnoozeChoice; until: number }[] | undefined;
}

export function useSnoozeMoments(workspace_id: string): SnoozeMoments {
  const workspace = useWorkspace(workspace_id);
  const state = useBusinessHours(workspace_id);
  const timezone = state?.timezone ?? workspace?.timezone ?? 'UTC';
  return {
    timezone,
    read: () => state && snoozeMoments(serverNow(), { timezone, country: workspace?.country, hours: state.hours }),
  };
}
