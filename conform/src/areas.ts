import { answersArea } from './areas/answers.ts';
import { authenticationArea } from './areas/authentication.ts';
import { contactsArea } from './areas/contacts.ts';
import { conversationsArea } from './areas/conversations.ts';
import { idempotencyArea } from './areas/idempotency.ts';
import { importsArea } from './areas/imports.ts';
import { isolationArea } from './areas/isolation.ts';
import { limitsArea } from './areas/limits.ts';
import { mediaArea } from './areas/media.ts';
import { messagesArea } from './areas/messages.ts';
import { operationsArea } from './areas/operations.ts';
import { pagingArea } from './areas/paging.ts';
import { refusalsArea } from './areas/refusals.ts';
import { webhooksArea } from './areas/webhooks.ts';
import { workspaceArea } from './areas/workspace.ts';
import type { Area } from './clause.ts';

/** The areas in the order of the run. The last ones check the responses of the others, and `limits` exhausts the rate limit. */
export const areas: readonly Area[] = [
  authenticationArea,
  refusalsArea,
  contactsArea,
  importsArea,
  idempotencyArea,
  pagingArea,
  messagesArea,
  conversationsArea,
  mediaArea,
  workspaceArea,
  webhooksArea,
  isolationArea,
  operationsArea,
  limitsArea,
  answersArea,
];
