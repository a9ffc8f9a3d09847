import { consoleOperations } from '@majlis/console-api';
import { changeSourceAgents, presentSourceState, reindexSource, removeSource } from '../ai/knowledge/manage-sources.ts';
import { listLatestSources } from '../ai/knowledge/read-knowledge-sources.ts';
import { tryKnowledge } from '../ai/knowledge/try-knowledge.ts';
import { listAiAgents } from '../ai/list-ai-agents.ts';
import type { RequestedModel } from '../ai/requested-model.ts';
import { parseId } from '../database/ids.ts';
import { readPage } from '../http/page.ts';
import { invalid, unknownReference } from '../http/reply/refusal.ts';
import { requireId } from '../http/require-id.ts';
import { recordActs } from '../people/audit.ts';
import { holdRights, transactionOf } from '../people/hold-rights.ts';
import type { Resources } from '../process/resources.ts';
import type { PersonCaller } from './authenticate-person.ts';
import { toAct } from './member-routes.ts';
import type { ServeConsole } from './serve-console.ts';

/** Knowledge sources as administrators watch and mend them. The contract has their addition. */
export function knowledgeRoutes(serve: ServeConsole, resources: Resources, model: RequestedModel): void {
  const { pool, clock } = resources;

  serve(consoleOperations.listKnowledgeSources, async ({ caller: { workspace_id }, query: { cursor, limit } }) => {
    const page = await readPage(
      resources,
      { workspace_id, scope: consoleOperations.listKnowledgeSources.id, cursor, limit },
      {
        fetch: (position, count) => listLatestSources(pool, workspace_id, { before: position?.[0] ?? null, count }),
        positionOf: ({ id }) => [id],
        present: presentSourceState,
      },
    );
    return { status: 200, body: page };
  });

  serve(consoleOperations.changeKnowledgeSource, async ({ caller, params, body }) => {
    const row = await transactionOf(caller, pool, async (tx) => {
      const { ai_agent_ids } = body;
      await recordActs(tx, clock, [toAct(caller, 'changeKnowledgeSource', targetsOf(params), { ai_agent_ids })]);
      return changeSourceAgents(tx, namedBy(caller, params), body);
    });
    return { status: 200, body: presentSourceState(row) };
  });

  serve(consoleOperations.reindexKnowledgeSource, async ({ caller, params }) => {
    const row = await transactionOf(caller, pool, async (tx) => {
      const source = await reindexSource(tx, clock, namedBy(caller, params));
      await recordActs(tx, clock, [toAct(caller, 'reindexKnowledgeSource', targetsOf(params), { name: source.name })]);
      return source;
    });
    return { status: 200, body: presentSourceState(row) };
  });

  serve(consoleOperations.deleteKnowledgeSource, async ({ caller, params }) => {
    await transactionOf(caller, pool, async (tx) => {
      const { name, passages } = await removeSource(tx, namedBy(caller, params));
      await recordActs(tx, clock, [toAct(caller, 'deleteKnowledgeSource', targetsOf(params), { name, passages })]);
    });
    return { status: 204 };
  });

  // Without a transaction: a model may answer slowly.
  serve(consoleOperations.tryKnowledge, async ({ caller, body: { question, ai_agent_id } }) => {
    const { workspace_id } = caller;
    const agent = ai_agent_id === undefined ? undefined : await requireAgent(workspace_id, ai_agent_id);
    const body = await tryKnowledge(resources, model, { workspace_id, text: question, ai_agent_id: agent });
    await holdRights(pool, caller);
    return { status: 200, body };
  });

  async function requireAgent(workspace_id: string, public_id: string): Promise<string> {
    const id = parseId('ai_agent', public_id);
    const known = id !== undefined && (await listAiAgents(pool, workspace_id)).some((agent) => agent.id === id);
    if (!known) throw invalid(unknownReference('names no AI agent', '/ai_agent_id'));
    return id;
  }
}

interface Params {
  knowledge_source_id: string;
}

function namedBy({ workspace_id }: PersonCaller, { knowledge_source_id }: Params) {
  return { workspace_id, id: requireId('knowledge_source', knowledge_source_id) };
}

const targetsOf = ({ knowledge_source_id }: Params) => ({ knowledge_source_id });
