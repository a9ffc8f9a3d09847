import type { later as english } from '../en/later.ts';
import { canned } from './canned.ts';
import { composer } from './composer.ts';
import { contacts } from './contacts.ts';
import { panel } from './panel.ts';
import { reports } from './reports.ts';
import { scheduled } from './scheduled.ts';
import { search } from './search.ts';
import { workHours } from './work-hours.ts';

export const later: Record<keyof typeof english, string> = {
  ...composer,
  ...canned,
  ...panel,
  ...contacts,
  ...reports,
  ...scheduled,
  ...search,
  ...workHours,
};
