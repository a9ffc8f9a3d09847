import type { Session } from '@majlis/console-api';

/** The signed-in person in one of their workspaces. */
export type Membership = Session['workspaces'][number];
