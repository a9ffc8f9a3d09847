import { operations as ai } from './ai.ts';
import { operations as analytics } from './analytics.ts';
import { operations as broadcasts } from './broadcasts.ts';
import { operations as channels } from './channels.ts';
import { operations as contacts } from './contacts.ts';
import { operations as conversations } from './conversations.ts';
import { operations as customFields } from './custom-fields.ts';
import { operations as media } from './media.ts';
import { operations as messages } from './messages.ts';
import type { Operation } from './operation.ts';
import { operations as stages } from './stages.ts';
import { operations as tags } from './tags.ts';
import { operations as templates } from './templates.ts';
import { operations as users } from './users.ts';
import { operations as webhookEndpoints } from './webhook-endpoints.ts';
import { operations as workflows } from './workflows.ts';
import { operations as workspaces } from './workspaces.ts';

/** The one table: every operation of the service, by its id. */
export const operations = {
  ...messages,
  ...templates,
  ...conversations,
  ...contacts,
  ...customFields,
  ...tags,
  ...stages,
  ...workflows,
  ...broadcasts,
  ...ai,
  ...workspaces,
  ...channels,
  ...analytics,
  ...users,
  ...media,
  ...webhookEndpoints,
};

export type OperationId = keyof typeof operations;

/** The same operations under the headings by which readers look for them. */
export const groups: readonly Group[] = [
  group('Messages', 'Send messages and read what was written.', messages),
  group('Templates', 'Texts that the channel platform reviews, for use outside the 24-hour window.', templates),
  group('Conversations', 'Read, assign, close and hand over conversations.', conversations),
  group('Contacts', 'The people you write with: identities, consents, tags, stages and custom fields.', {
    ...contacts,
    ...customFields,
    ...tags,
    ...stages,
  }),
  group('Workflows', 'Automation that starts by a trigger.', workflows),
  group('Broadcasts', 'One template to many contacts.', broadcasts),
  group('AI', 'AI agents, drafts, summaries and what they know.', ai),
  group('Workspace', 'The workspace, the key, the wallet and the usage.', workspaces),
  group('Channels', 'The numbers that messages come from.', channels),
  group('Analytics', 'Figures about conversations and messages.', analytics),
  group('Users', 'Users, their availability, and teams.', users),
  group('Media', 'Upload and download files.', media),
  group('Webhook endpoints', 'Where events are posted, and how that went.', webhookEndpoints),
];

export interface Group {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

function group(name: string, description: string, room: Readonly<Record<string, Operation>>): Group {
  return { name, description, operations: Object.values(room) };
}
