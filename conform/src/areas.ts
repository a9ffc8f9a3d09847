import { answers } from './areas/answers.ts';
import { authentication } from './areas/authentication.ts';
import { contacts } from './areas/contacts.ts';
import { conversations } from './areas/conversations.ts';
import { idempotency } from './areas/idempotency.ts';
import { imports } from './areas/imports.ts';
import { isolation } from './areas/isolation.ts';
import { limits } from './areas/limits.ts';
import { media } from './areas/media.ts';
import { messages } from './areas/messages.ts';
import { operations } from './areas/operations.ts';
import { paging } from './areas/paging.ts';
import { refusals } from './areas/refusals.ts';
import { webhooks } from './areas/webhooks.ts';
import { workspace } from './areas/workspace.ts';
import type { Area } from './clause.ts';

/** In the order in which they run: the last judge what came to the others, and limits use up what others need. */
export const areas: readonly Area[] = [
  authentication,
  refusals,
  contacts,
  imports,
  idempotency,
  paging,
  messages,
  conversations,
  media,
  workspace,
  webhooks,
  isolation,
  operations,
  limits,
  answers,
];
