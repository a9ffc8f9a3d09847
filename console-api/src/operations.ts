import { apiKeyOperations } from './api-keys.ts';
import { auditOperations } from './audit.ts';
import { cannedReplyOperations } from './canned-replies.ts';
import { draftOperations } from './drafts.ts';
import { liveOperations } from './live.ts';
import { memberOperations } from './members.ts';
import { notificationSettingsOperations } from './notification-settings.ts';
import { oidcOperations } from './oidc.ts';
import { passkeyOperations } from './passkeys.ts';
import { presenceOperations } from './presence.ts';
import { readMarkOperations } from './read-marks.ts';
import { savedViewOperations } from './saved-views.ts';
import { sessionOperations } from './session.ts';
import { signInOperations } from './sign-in.ts';

/** Every operation of `/console/v1` that the contract does not have, by its id. */
export const consoleOperations = {
  ...signInOperations,
  ...passkeyOperations,
  ...oidcOperations,
  ...sessionOperations,
  ...memberOperations,
  ...apiKeyOperations,
  ...auditOperations,
  ...liveOperations,
  ...readMarkOperations,
  ...draftOperations,
  ...presenceOperations,
  ...notificationSettingsOperations,
  ...savedViewOperations,
  ...cannedReplyOperations,
};

export type ConsoleOperationId = keyof typeof consoleOperations;
