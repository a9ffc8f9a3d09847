import type { workHours as words } from '../en/work-hours.ts';

export const workHours: Record<keyof typeof words, string> = {
  'work_hours.outside': 'خارج الدوام',
  'work_hours.open': 'ساعات العمل',
  'work_hours.open_in': 'ساعات العمل في {workspace}',
};
