import { aiDecisions } from './decisions/ai.ts';
import { analyticsDecisions } from './decisions/analytics-and-usage.ts';
import { authenticationDecisions } from './decisions/authentication.ts';
import { automationDecisions } from './decisions/automation.ts';
import { contactDecisions } from './decisions/contacts.ts';
import { conversationDecisions } from './decisions/conversations.ts';
import type { Decision } from './decisions/decision.ts';
import { errorAndLimitDecisions } from './decisions/errors-and-limits.ts';
import { eventDecisions } from './decisions/events.ts';
import { fieldDecisions } from './decisions/fields.ts';
import { messageDecisions } from './decisions/messages.ts';
import { templateDecisions } from './decisions/templates.ts';

/** The choices where the contract leaves a point open, by subject. They are not part of the contract. */
export const decisions: Readonly<Record<string, readonly Decision[]>> = {
  'Fields and their values': fieldDecisions,
  'Messages and conversations': messageDecisions,
  'Conversations, users and teams': conversationDecisions,
  Contacts: contactDecisions,
  Templates: templateDecisions,
  'Workflows, broadcasts and media': automationDecisions,
  AI: aiDecisions,
  'Analytics, wallet and usage': analyticsDecisions,
  'Authentication, scopes and versions': authenticationDecisions,
  'Events and webhook endpoints': eventDecisions,
  'Errors, limits, paging and idempotency': errorAndLimitDecisions,
};
