import { ai } from './decisions/ai.ts';
import { authentication } from './decisions/authentication.ts';
import { automation } from './decisions/automation.ts';
import { contacts } from './decisions/contacts.ts';
import { conversations } from './decisions/conversations.ts';
import type { Decision } from './decisions/decision.ts';
import { errorsAndLimits } from './decisions/errors-and-limits.ts';
import { events } from './decisions/events.ts';
import { figures } from './decisions/figures.ts';
import { messages } from './decisions/messages.ts';
import { resources } from './decisions/resources.ts';
import { templates } from './decisions/templates.ts';

/** The register, by subject. None of it is part of the contract: no client may rely on it. */
export const decisions: Readonly<Record<string, readonly Decision[]>> = {
  'Fields and their values': resources,
  'Messages and conversations': messages,
  'Conversations, users and teams': conversations,
  Contacts: contacts,
  Templates: templates,
  'Workflows, broadcasts and media': automation,
  AI: ai,
  'Analytics, wallet and usage': figures,
  'Authentication, scopes and versions': authentication,
  'Events and webhook endpoints': events,
  'Errors, limits, paging and idempotency': errorsAndLimits,
};
