import type { extensionOperations } from './extensions.ts';
import type { OperationId } from './operations.ts';

export interface MethodName {
  /** `messages.send` is `client.messages.send()` and `majlis messages send`. */
  name: `${string}.${string}`;
  /** A POST whose second performance changes nothing more, so that the client may repeat it without an idempotency key. */
  repeatable?: true;
  /** It erases, or reaches many people, and nothing undoes it: a person should confirm it first. */
  destructive?: true;
}

/** The name of each operation in the client and on the command line. An operation without a name is a type error. */
export const methodNames: Record<OperationId | keyof typeof extensionOperations, MethodName> = {
  sendMessage: { name: 'messages.send' },
  getMessage: { name: 'messages.get' },
  listConversationMessages: { name: 'conversations.listMessages' },
  sendConversationMessage: { name: 'conversations.sendMessage' },
  listTemplates: { name: 'templates.list' },
  createTemplate: { name: 'templates.create' },
  getTemplate: { name: 'templates.get' },
  deleteTemplate: { name: 'templates.delete', destructive: true },
  listConversations: { name: 'conversations.list' },
  getConversation: { name: 'conversations.get' },
  assignConversation: { name: 'conversations.assign', repeatable: true },
  closeConversation: { name: 'conversations.close', repeatable: true },
  reopenConversation: { name: 'conversations.reopen', repeatable: true },
  setConversationStage: { name: 'conversations.setStage' },
  handOverConversation: { name: 'conversations.handOver', repeatable: true },
  snoozeConversation: { name: 'conversations.snooze', repeatable: true },
  addConversationNote: { name: 'conversations.addNote' },
  listContacts: { name: 'contacts.list' },
  upsertContact: { name: 'contacts.upsert' },
  importContacts: { name: 'contacts.import', repeatable: true },
  getContact: { name: 'contacts.get' },
  updateContact: { name: 'contacts.update' },
  deleteContact: { name: 'contacts.delete', destructive: true },
  mergeContact: { name: 'contacts.merge', destructive: true },
  listCustomFields: { name: 'customFields.list' },
  createCustomField: { name: 'customFields.create' },
  listTags: { name: 'tags.list' },
  listStages: { name: 'stages.list' },
  listWorkflows: { name: 'workflows.list' },
  setWorkflowStatus: { name: 'workflows.setStatus', repeatable: true },
  startWorkflowRun: { name: 'workflows.startRun' },
  listBroadcasts: { name: 'broadcasts.list' },
  createBroadcast: { name: 'broadcasts.create', destructive: true },
  getBroadcast: { name: 'broadcasts.get' },
  cancelBroadcast: { name: 'broadcasts.cancel', repeatable: true },
  listAiAgents: { name: 'ai.listAgents' },
  composeReply: { name: 'ai.composeReply', repeatable: true },
  summarizeConversation: { name: 'ai.summarizeConversation', repeatable: true },
  searchKnowledge: { name: 'ai.searchKnowledge' },
  addKnowledgeSource: { name: 'ai.addKnowledgeSource' },
  getKey: { name: 'workspace.getKey' },
  getWorkspace: { name: 'workspace.get' },
  getWallet: { name: 'workspace.getWallet' },
  getUsage: { name: 'workspace.getUsage' },
  listChannels: { name: 'channels.list' },
  getChannel: { name: 'channels.get' },
  getAnalyticsOverview: { name: 'analytics.getOverview' },
  getConversationAnalytics: { name: 'analytics.getConversations' },
  getMessageAnalytics: { name: 'analytics.getMessages' },
  listUsers: { name: 'users.list' },
  setUserAvailability: { name: 'users.setAvailability' },
  listTeams: { name: 'teams.list' },
  uploadMedia: { name: 'media.upload' },
  downloadMedia: { name: 'media.download' },
  listWebhookEndpoints: { name: 'webhookEndpoints.list' },
  createWebhookEndpoint: { name: 'webhookEndpoints.create' },
  updateWebhookEndpoint: { name: 'webhookEndpoints.update' },
  deleteWebhookEndpoint: { name: 'webhookEndpoints.delete', destructive: true },
  testWebhookEndpoint: { name: 'webhookEndpoints.test' },
  listEvents: { name: 'events.list' },
  getEvent: { name: 'events.get' },
  resendEvent: { name: 'events.resend' },
  listWebhookDeliveries: { name: 'webhookEndpoints.listDeliveries' },
};
