// Bounds that the console shows. The file depends on nothing, so a page that needs one loads nothing else.

/** How many conversations of a view are counted. */
export const mostCounted = 1_000;

/** Of how many conversations a reading of the inbox asks for rows by name. */
export const mostRows = 100;

/** How many waiting proposals are counted; more are as many. */
export const mostCountedProposals = 100;

/** How many days closed conversations may be kept. A month is more than keys of writes, windows and webhook retries last. */
export const retentionDays = { least: 30, most: 3_650 };
