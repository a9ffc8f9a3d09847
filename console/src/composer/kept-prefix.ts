/** The names in the storage of the tab behind which sends are kept for a reload. */
export const keptPrefix = 'majlis-send-';
