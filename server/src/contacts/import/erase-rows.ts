import type { ContactHolder } from '../erase/contact-holder.ts';
import { deleteRowsNaming } from './queries.ts';

/** Rows of files that name the contact: those that wait, so that it does not come back, and those that were left out. */
export const importRowsHolder: ContactHolder = {
  async erase(tx, { workspace_id, row_names }) {
    await deleteRowsNaming(tx, workspace_id, row_names);
  },
};
