import { aiAnswersHolder } from './ai/answers/erase-answers.ts';
import { broadcastRecipientsHolder } from './broadcasts/erase-recipients.ts';
import type { ContactHolder } from './contacts/erase/contact-holder.ts';
import { importRowsHolder } from './contacts/import/erase-rows.ts';
import { eraseFromAddressBooks } from './contacts/write/name-by-address-book.ts';
import { eventsOfContacts } from './events/erase-events.ts';
import { eraseAnswers, moveAnswers } from './http/idempotency/erase-answers.ts';
import { eraseNotifications } from './inbound/erase-notifications.ts';
import { eraseNotices } from './inbound/keep-notices.ts';
import { inboxStateHolder } from './inbox/forget.ts';
import { messagesOfContacts } from './messages/erase-messages.ts';
import { callsOfContacts } from './messages/receive/erased-calls.ts';
import { scheduledMessagesHolder } from './messages/scheduled/erase-scheduled.ts';
import { proposalsHolder } from './proposals/erase-proposals.ts';
import { workflowRunsHolder } from './workflows/run/erase-and-merge-runs.ts';

/** All modules that store data of contacts, in the order in which the service locks their rows: jobs come last. */
export const contactHolders: readonly ContactHolder[] = [
  importRowsHolder,
  broadcastRecipientsHolder,
  workflowRunsHolder,
  messagesOfContacts,
  callsOfContacts,
  scheduledMessagesHolder,
  proposalsHolder,
  eventsOfContacts,
  inboxStateHolder,
  aiAnswersHolder,
  { erase: eraseAnswers, merge: moveAnswers },
  { erase: eraseFromAddressBooks },
  { erase: eraseNotices },
  { erase: eraseNotifications },
];
