// Written by scripts/generate-contract.ts. Do not edit.

import type { MethodTable } from './methods.ts';

export const methods: MethodTable = {
  messages: {
    send: {"method":"POST","path":"/v1/messages","takes":"body","repeats":"keyed"},
    get: {"method":"GET","path":"/v1/messages/{message_id}"},
  },
  conversations: {
    listMessages: {"method":"GET","path":"/v1/conversations/{conversation_id}/messages","takes":"query","gives":"page"},
    sendMessage: {"method":"POST","path":"/v1/conversations/{conversation_id}/messages","takes":"body","repeats":"keyed"},
    list: {"method":"GET","path":"/v1/conversations","takes":"query","gives":"page"},
    get: {"method":"GET","path":"/v1/conversations/{conversation_id}"},
    assign: {"method":"POST","path":"/v1/conversations/{conversation_id}/assign","takes":"body"},
    close: {"method":"POST","path":"/v1/conversations/{conversation_id}/close","takes":"body"},
    reopen: {"method":"POST","path":"/v1/conversations/{conversation_id}/reopen"},
    setStage: {"method":"PUT","path":"/v1/conversations/{conversation_id}/stage","takes":"body"},
    handOver: {"method":"POST","path":"/v1/conversations/{conversation_id}/handover","takes":"body"},
    snooze: {"method":"POST","path":"/v1/conversations/{conversation_id}/snooze","takes":"body"},
    addNote: {"method":"POST","path":"/v1/conversations/{conversation_id}/notes","takes":"body","repeats":"refused"},
  },
  templates: {
    list: {"method":"GET","path":"/v1/chatapp/templates","takes":"query"},
    create: {"method":"POST","path":"/v1/chatapp/templates","takes":"body","repeats":"refused"},
    get: {"method":"GET","path":"/v1/chatapp/templates/{template_id}"},
    delete: {"method":"DELETE","path":"/v1/chatapp/templates/{template_id}"},
  },
  contacts: {
    list: {"method":"GET","path":"/v1/contacts","takes":"query","gives":"page"},
    upsert: {"method":"POST","path":"/v1/contacts","takes":"body","repeats":"keyed"},
    import: {"method":"POST","path":"/v1/contacts/import","takes":"body"},
    get: {"method":"GET","path":"/v1/contacts/{contact_id}"},
    update: {"method":"PATCH","path":"/v1/contacts/{contact_id}","takes":"body"},
    delete: {"method":"DELETE","path":"/v1/contacts/{contact_id}"},
    merge: {"method":"POST","path":"/v1/contacts/{contact_id}/merge","takes":"body","repeats":"refused"},
  },
  customFields: {
    list: {"method":"GET","path":"/v1/custom-fields"},
    create: {"method":"POST","path":"/v1/custom-fields","takes":"body","repeats":"refused"},
  },
  tags: {
    list: {"method":"GET","path":"/v1/tags"},
  },
  stages: {
    list: {"method":"GET","path":"/v1/stages"},
  },
  workflows: {
    list: {"method":"GET","path":"/v1/workflows"},
    setStatus: {"method":"POST","path":"/v1/workflows/{workflow_id}/status","takes":"body"},
    startRun: {"method":"POST","path":"/v1/workflows/{workflow_id}/runs","takes":"body","repeats":"keyed"},
  },
  broadcasts: {
    list: {"method":"GET","path":"/v1/broadcasts","takes":"query","gives":"page"},
    create: {"method":"POST","path":"/v1/broadcasts","takes":"body","repeats":"keyed"},
    get: {"method":"GET","path":"/v1/broadcasts/{broadcast_id}"},
    cancel: {"method":"POST","path":"/v1/broadcasts/{broadcast_id}/cancel"},
  },
  ai: {
    listAgents: {"method":"GET","path":"/v1/ai/agents"},
    composeReply: {"method":"POST","path":"/v1/conversations/{conversation_id}/ai/compose","takes":"body"},
    summarizeConversation: {"method":"POST","path":"/v1/conversations/{conversation_id}/ai/summary"},
    addKnowledgeSource: {"method":"POST","path":"/v1/ai/knowledge-sources","takes":"body","repeats":"refused"},
    searchKnowledge: {"method":"GET","path":"/v1/ai/knowledge-sources/search","takes":"query"},
  },
  workspace: {
    getKey: {"method":"GET","path":"/v1/me"},
    get: {"method":"GET","path":"/v1/workspace"},
    getWallet: {"method":"GET","path":"/v1/wallet"},
    getUsage: {"method":"GET","path":"/v1/usage","takes":"query"},
  },
  channels: {
    list: {"method":"GET","path":"/v1/channels"},
    get: {"method":"GET","path":"/v1/channels/{channel_id}"},
  },
  analytics: {
    getOverview: {"method":"GET","path":"/v1/analytics/overview"},
    getConversations: {"method":"GET","path":"/v1/analytics/conversations","takes":"query"},
    getMessages: {"method":"GET","path":"/v1/analytics/messages","takes":"query"},
  },
  users: {
    list: {"method":"GET","path":"/v1/users"},
    setAvailability: {"method":"PUT","path":"/v1/users/{user_id}/availability","takes":"body"},
  },
  teams: {
    list: {"method":"GET","path":"/v1/teams"},
  },
  media: {
    upload: {"method":"POST","path":"/v1/media","takes":"file","repeats":"refused"},
    download: {"method":"GET","path":"/v1/media/{media_id}","gives":"bytes"},
  },
  webhookEndpoints: {
    list: {"method":"GET","path":"/v1/webhook-endpoints"},
    create: {"method":"POST","path":"/v1/webhook-endpoints","takes":"body","repeats":"refused"},
    update: {"method":"PATCH","path":"/v1/webhook-endpoints/{endpoint_id}","takes":"body"},
    delete: {"method":"DELETE","path":"/v1/webhook-endpoints/{endpoint_id}"},
    test: {"method":"POST","path":"/v1/webhook-endpoints/{endpoint_id}/test","repeats":"refused"},
    listDeliveries: {"method":"GET","path":"/v1/webhook-endpoints/{endpoint_id}/deliveries","takes":"query","gives":"page"},
  },
  events: {
    list: {"method":"GET","path":"/v1/events","takes":"query"},
    get: {"method":"GET","path":"/v1/events/{event_id}","takes":"query"},
    resend: {"method":"POST","path":"/v1/events/{event_id}/resend","takes":"body","repeats":"refused"},
  },
};
