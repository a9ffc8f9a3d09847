import type { OperationId } from '@majlis/contract';

type Own = Record<string, string>;
type Ask = (own: Own, value: string) => object;

const text = { kind: 'text', body: 'Hello' };
const identity = (n: number) => ({ channel_type: 'chatapp', identifier: `+9689130${n}` });
const order = { name: 'order_update', language: 'en' };
// The template has no variables, as these audiences have no values for them.
const sale = ({ template: name }: Own) => ({
  ...{ name: 'Sale', send_at: '2100-01-01T00:00:00Z' },
  template: { name, language: 'sv' },
});

/** Bodies that name a thing of somebody's, right in all else: by operation and by the member that names it. */
export const requestsByBody: { [id in OperationId]?: Record<string, Ask> } = {
  sendMessage: {
    channel_id: (own, channel_id) => ({ contact_id: own.contact_id, channel_id, ...text }),
    contact_id: (_, contact_id) => ({ contact_id, ...text }),
    media_id: (own, media_id) => ({ contact_id: own.contact_id, kind: 'image', media_id }),
    reply_to_id: (own, reply_to_id) => ({ contact_id: own.contact_id, reply_to_id, ...text }),
    template: (own, name) => ({ contact_id: own.contact_id, kind: 'template', template: { name, language: 'sv' } }),
    header_media_id: (own, header_media_id) => ({
      contact_id: own.contact_id,
      kind: 'template',
      template: { ...order, header_media_id },
    }),
  },
  sendConversationMessage: {
    media_id: (_, media_id) => ({ kind: 'image', media_id }),
    reply_to_id: (_, reply_to_id) => ({ reply_to_id, ...text }),
    template: (_, name) => ({ kind: 'template', template: { name, language: 'sv' } }),
    header_media_id: (_, header_media_id) => ({ kind: 'template', template: { ...order, header_media_id } }),
  },
  assignConversation: {
    assignee_id: (_, assignee_id) => ({ assignee_id }),
    team_id: (_, team_id) => ({ team_id }),
  },
  closeConversation: { category_id: (_, category_id) => ({ category_id }) },
  setConversationStage: { stage_id: (_, stage_id) => ({ stage_id }) },
  handOverConversation: { ai_agent_id: (_, ai_agent_id) => ({ to: 'bot', ai_agent_id }) },
  upsertContact: { stage_id: (_, stage_id) => ({ identities: [identity(1001)], stage_id }) },
  importContacts: { stage_id: (_, stage_id) => ({ contacts: [{ identities: [identity(1002)], stage_id }] }) },
  updateContact: { stage_id: (_, stage_id) => ({ stage_id }) },
  mergeContact: { source_contact_id: (_, source_contact_id) => ({ source_contact_id }) },
  startWorkflowRun: {
    id: (_, id) => ({ contact: { id } }),
    contact_id: (_, contact_id) => ({ contact: { contact_id } }),
  },
  createBroadcast: {
    channel_id: (own, channel_id) => ({ ...sale(own), channel_id, audience: { tags: ['nobody'] } }),
    template: (own, name) => ({ ...sale(own), template: { name, language: 'sv' }, audience: { tags: ['nobody'] } }),
    stage_id: (own, stage_id) => ({ ...sale(own), audience: { stage_id } }),
    tags: (own, tag) => ({ ...sale(own), audience: { tags: [tag] } }),
  },
  addKnowledgeSource: { media_id: (_, media_id) => ({ type: 'file', media_id }) },
};

/** Under which name a workspace has what another member names. */
export const sameAs: Record<string, string> = { header_media_id: 'media_id', id: 'contact_id', tags: 'tag' };
