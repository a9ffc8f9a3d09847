import { canned } from './canned.ts';
import { composer } from './composer.ts';
import { contacts } from './contacts.ts';
import { panel } from './panel.ts';
import { reports } from './reports.ts';
import { scheduled } from './scheduled.ts';
import { search } from './search.ts';
import { workHours } from './work-hours.ts';

/** The words of an open conversation and of the pages beside the inbox. */
export const later = {
  ...composer,
  ...canned,
  ...panel,
  ...contacts,
  ...reports,
  ...scheduled,
  ...search,
  ...workHours,
};
