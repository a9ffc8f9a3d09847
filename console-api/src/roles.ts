import type { OperationId } from '@majlis/contract';
import type { ConsoleErrorCode } from './errors.ts';

/** From the least to the greatest. Each role may do everything that the roles before it may. */
export const roles = ['agent', 'supervisor', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

/** False for a role that the console does not know: such a user has no rights in it. */
export function isRole(text: string | null): text is Role {
  return (roles as readonly (string | null)[]).includes(text);
}

export function mayAct(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least);
}

/** How people perform an operation of the contract. */
export interface PersonRule {
  readonly least: Role;
  /** Recorded in the audit. Messages and notes name their author themselves. */
  readonly audited?: true;
  /** Needs a proof of identity within the last ten minutes. */
  readonly confirmed?: true;
  /** Reaches customers of all teams: refused to a person who sees own teams alone. */
  readonly whole_workspace?: true;
  /** Headers that it takes from people alone, with their descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
  /** With which it refuses people, beside the contract's. */
  readonly refusals?: readonly ConsoleErrorCode[];
}

const read = (least: Role): PersonRule => ({ least });
const audited = (least: Role): PersonRule => ({ least, audited: true });
const ofAllTeams = (rule: PersonRule): PersonRule => ({ ...rule, whole_workspace: true });

const sendHeaders = {
  'Seen-Reply-Id': 'The newest reply that the person has seen, or `none`. A newer one of a colleague refuses the send.',
};

/** Every operation of the contract that people may perform. Absent: it is for API keys alone. */
export const personRules: Partial<Record<OperationId, PersonRule>> = {
  sendMessage: { least: 'agent' },
  sendConversationMessage: { least: 'agent', headers: sendHeaders, refusals: ['newer_reply'] },
  addConversationNote: { least: 'agent' },
  composeReply: { least: 'agent' },
  summarizeConversation: { least: 'agent' },
  uploadMedia: { least: 'agent' },

  getMessage: read('agent'),
  listConversationMessages: read('agent'),
  listTemplates: read('agent'),
  getTemplate: read('agent'),
  listConversations: read('agent'),
  getConversation: read('agent'),
  listContacts: read('agent'),
  getContact: read('agent'),
  listCustomFields: read('agent'),
  listTags: read('agent'),
  listStages: read('agent'),
  listWorkflows: read('agent'),
  listAiAgents: read('agent'),
  listChannels: read('agent'),
  getChannel: read('agent'),
  listUsers: read('agent'),
  listTeams: read('agent'),
  getWorkspace: read('agent'),
  downloadMedia: read('agent'),
  listBroadcasts: ofAllTeams(read('supervisor')),
  getBroadcast: ofAllTeams(read('supervisor')),
  getAnalyticsOverview: read('supervisor'),
  getConversationAnalytics: read('supervisor'),
  getMessageAnalytics: read('supervisor'),
  getWallet: read('admin'),
  getUsage: read('admin'),
  listWebhookEndpoints: read('admin'),
  listWebhookDeliveries: read('admin'),

  assignConversation: audited('agent'),
  closeConversation: audited('agent'),
  reopenConversation: audited('agent'),
  setConversationStage: audited('agent'),
  handOverConversation: audited('agent'),
  snoozeConversation: audited('agent'),
  upsertContact: audited('agent'),
  updateContact: audited('agent'),
  setUserAvailability: audited('agent'),
  startWorkflowRun: audited('agent'),
  mergeContact: audited('supervisor'),
  importContacts: ofAllTeams(audited('supervisor')),
  createBroadcast: ofAllTeams(audited('supervisor')),
  cancelBroadcast: ofAllTeams(audited('supervisor')),
  createCustomField: audited('admin'),
  createTemplate: audited('admin'),
  deleteTemplate: audited('admin'),
  setWorkflowStatus: audited('admin'),
  addKnowledgeSource: audited('admin'),
  createWebhookEndpoint: audited('admin'),
  updateWebhookEndpoint: audited('admin'),
  testWebhookEndpoint: audited('admin'),
  deleteWebhookEndpoint: audited('admin'),
  deleteContact: { least: 'admin', audited: true, confirmed: true },
};
