import { aiOperations } from './ai.ts';
import { analyticsOperations } from './analytics.ts';
import { broadcastOperations } from './broadcasts.ts';
import { channelOperations } from './channels.ts';
import { contactOperations } from './contacts.ts';
import { conversationOperations } from './conversations.ts';
import { customFieldOperations } from './custom-fields.ts';
import { mediaOperations } from './media.ts';
import { messageOperations } from './messages.ts';
import type { Operation } from './operation.ts';
import { stageOperations } from './stages.ts';
import { tagOperations } from './tags.ts';
import { templateOperations } from './templates.ts';
import { userOperations } from './users.ts';
import { webhookEndpointOperations } from './webhook-endpoints.ts';
import { workflowOperations } from './workflows.ts';
import { workspaceOperations } from './workspaces.ts';

/** Every operation of the service, by its id. */
export const operations = {
  ...messageOperations,
  ...templateOperations,
  ...conversationOperations,
  ...contactOperations,
  ...customFieldOperations,
  ...tagOperations,
  ...stageOperations,
  ...workflowOperations,
  ...broadcastOperations,
  ...aiOperations,
  ...workspaceOperations,
  ...channelOperations,
  ...analyticsOperations,
  ...userOperations,
  ...mediaOperations,
  ...webhookEndpointOperations,
};

export type OperationId = keyof typeof operations;

/** The same operations under the headings of the documentation. */
export const operationGroups: readonly OperationGroup[] = [
  group('Messages', 'Send and read messages.', messageOperations),
  group(
    'Templates',
    'Texts that the channel platform reviews, for use outside the 24-hour window.',
    templateOperations,
  ),
  group('Conversations', 'Read, assign, close and hand over conversations.', conversationOperations),
  group('Contacts', 'The people you write with: identities, consents, tags, stages and custom fields.', {
    ...contactOperations,
    ...customFieldOperations,
    ...tagOperations,
    ...stageOperations,
  }),
  group('Workflows', 'Automation that a trigger starts.', workflowOperations),
  group('Broadcasts', 'One template to many contacts.', broadcastOperations),
  group('AI', 'AI agents, drafts, summaries and knowledge sources.', aiOperations),
  group('Workspace', 'The workspace, the key, the wallet and the usage.', workspaceOperations),
  group('Channels', 'The numbers that send and receive messages.', channelOperations),
  group('Analytics', 'Figures about conversations and messages.', analyticsOperations),
  group('Users', 'Users, their availability, and teams.', userOperations),
  group('Media', 'Upload and download files.', mediaOperations),
  group(
    'Webhook endpoints',
    'The addresses that receive events, and the delivery attempts.',
    webhookEndpointOperations,
  ),
];

export interface OperationGroup {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

function group(name: string, description: string, members: Readonly<Record<string, Operation>>): OperationGroup {
  return { name, description, operations: Object.values(members) };
}
