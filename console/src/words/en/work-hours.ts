/** Beside the names of people, and the way to their hours. */
export const workHours = {
  'work_hours.outside': 'Outside hours',
  'work_hours.open': 'Working hours',
  'work_hours.open_in': 'Working hours in {workspace}',
} as const satisfies Record<string, string>;
