import { aiOperations, extensionOperations } from '@majlis/contract';
import { findConversation } from '../conversations/list/list-conversations.ts';
import { refuseHidden } from '../conversations/refuse-hidden.ts';
import { parseId } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import type { Caller } from '../http/authenticate.ts';
import { Refusal } from '../http/reply/refusal.ts';
import type { Transact } from '../http/request.ts';
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

  interface Task {
    caller: Caller;
    params: { conversation_id: string };
    transact: Transact;
  }

  /**
   * Answers what a model makes of a conversation. The work has no transaction, because a model may think for a minute. So the
   * rights of the caller are held after it: the answer tells of the conversation.
   */
  async function answerAbout<Answer>(
    { caller, params, transact }: Task,
    work: (conversation: { workspace_id: string; conversation_id: string }) => Promise<Answer>,
  ) {
    const { workspace_id } = caller;
    const conversation_id = parseId('conversation', params.conversation_id);
    const hold = async (connection: Connection) => {
      if (!conversation_id || !(await findConversation(connection, workspace_id, conversation_id))) {
        throw new Refusal('not_found');
      }
      await refuseHidden(connection, caller, { conversation_id });
    };
    await hold(pool);
    const body = await work({ workspace_id, conversation_id: conversation_id! });
    await transact(hold);
    return { status: 200, body };
  }

  serve.read(aiOperations.listAiAgents, async ({ caller }) => ({
    data: (await listAiAgents(pool, caller.workspace_id)).map(presentAiAgent),
  }));

  serve.perform(aiOperations.composeReply, ({ caller, params, body }, transact) =>
    answerAbout({ caller, params, transact }, (conversation) => composeReply(resources, model, conversation, body)),
  );
  serve.perform(aiOperations.summarizeConversation, ({ caller, params }, transact) =>
    answerAbout({ caller, params, transact }, (conversation) => summarizeConversation(resources, model, conversation)),
  );

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
