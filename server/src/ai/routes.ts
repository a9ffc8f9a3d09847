import { aiOperations, extensionOperations } from '@majlis/contract';
import { findConversation } from '../conversations/list/list-conversations.ts';
import { refuseHidden } from '../conversations/refuse-hidden.ts';
import { parseId } from '../database/ids.ts';
import { Refusal } from '../http/reply/refusal.ts';
import type { Serve } from '../http/serve.ts';
import type { Resources } from '../process/resources.ts';
import { withinQuota } from '../workspaces/within-quota.ts';
import { composeReply } from './drafts/compose-reply.ts';
import { summarizeConversation } from './drafts/summarize-conversation.ts';
import { addKnowledgeSource } from './knowledge/add-knowledge-source.ts';
import { checkSource, readSourceContent } from './knowledge/check-source.ts';
import { findPassages } from './knowledge/find-passages.ts';
import { listAiAgents } from './list-ai-agents.ts';
import { presentAiAgent } from './present.ts';
import type { RequestedModel } from './requested-model.ts';

const passagesDefault = 6;
const passagesMax = 20;

export function aiRoutes(serve: Serve, resources: Resources, model: RequestedModel): void {
  const { pool, clock, config } = resources;

  async function getConversation(workspace_id: string, public_id: string) {
    const id = parseId('conversation', public_id);
    const conversation = id && (await findConversation(pool, workspace_id, id));
    if (!conversation) throw new Refusal('not_found');
    return { workspace_id, conversation_id: conversation.id };
  }

  serve.read(aiOperations.listAiAgents, async ({ caller }) => ({
    data: (await listAiAgents(pool, caller.workspace_id)).map(presentAiAgent),
  }));

  // Without a transaction: a model may answer slowly.
  serve.perform(aiOperations.composeReply, async ({ caller, params, body }) => {
    const conversation = await getConversation(caller.workspace_id, params.conversation_id);
    return { status: 200, body: await composeReply(resources, model, conversation, body) };
  });
  serve.perform(aiOperations.summarizeConversation, async ({ caller, params }) => {
    const conversation = await getConversation(caller.workspace_id, params.conversation_id);
    return { status: 200, body: await summarizeConversation(resources, model, conversation) };
  });

  // By words alone: a search by meaning would call the model and spend credits, which no read does.
  serve.read(extensionOperations.searchKnowledge, async ({ caller: { workspace_id }, query }) => {
    const count = Math.min(query.limit ?? passagesDefault, passagesMax);
    const passages = await findPassages(pool, { workspace_id, text: query.q, count });
    return { data: passages.map(({ body, source }) => ({ text: body, source })) };
  });

  serve.perform(aiOperations.addKnowledgeSource, async ({ caller, body }, transact) => {
    const { workspace_id } = caller;
    const content = readSourceContent(body);
    await checkSource(resources, content);
    const { ai_agent_ids } = body;
    await transact(async (tx) => {
      if (content.type === 'file') await refuseHidden(tx, caller, { media_id: parseId('media', content.media_id) });
      await withinQuota(tx, config.quotas, { workspace_id, kind: 'knowledge_sources' }, () =>
        addKnowledgeSource(tx, clock, workspace_id, { content, ...(ai_agent_ids && { ai_agent_ids }) }),
      );
    });
    return { status: 202, body: undefined };
  });
}
