import type { LiveChange, LiveRemoval } from '@majlis/console-api';

/** Whether an administrator has changed a team, a list or the workspace. */
export const isSettings = ({ kind }: LiveChange | LiveRemoval): boolean => kind === 'settings';
