import { apiKeyOperations } from './api-keys.ts';
import { auditOperations } from './audit.ts';
import { liveOperations } from './live.ts';
import { memberOperations } from './members.ts';
import { sessionOperations } from './session.ts';
import { signInOperations } from './sign-in.ts';

/** Every operation of `/console/v1` that the contract does not have, by its id. */
export const consoleOperations = {
  ...signInOperations,
  ...sessionOperations,
  ...memberOperations,
  ...apiKeyOperations,
  ...auditOperations,
  ...liveOperations,
};

export type ConsoleOperationId = keyof typeof consoleOperations;
