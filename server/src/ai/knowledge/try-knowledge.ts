import type { KnowledgeSearch } from '@majlis/console-api';
import { publicId } from '../../database/ids.ts';
import type { Resources } from '../../process/resources.ts';
import { minCoverage } from '../answers/decide-answer.ts';
import { spendCredits } from '../credits.ts';
import { ModelFailure } from '../model-failure.ts';
import type { RequestedModel } from '../requested-model.ts';
import { findPassages, type Passage, type PassageSearch } from './find-passages.ts';
import { retrievePassages } from './retrieve-passages.ts';

const count = 6;

/** Finds the passages that an agent would get for a question, by its budget and its knowledge. */
export async function tryKnowledge(
  resources: Pick<Resources, 'pool' | 'clock' | 'log'>,
  model: RequestedModel,
  { workspace_id, text, ai_agent_id }: { workspace_id: string; text: string; ai_agent_id: string | undefined },
): Promise<KnowledgeSearch> {
  const search = { workspace_id, agent_id: ai_agent_id, text, count };
  const byMeaning = model.embed ? await retrieve(resources, model, search) : undefined;
  const passages = byMeaning ?? (await findPassages(resources.pool, search));
  const [best] = passages;
  return {
    data: passages.map(({ source_id, source, body, coverage }) => ({
      source_id: publicId('knowledge_source', source_id),
      ...{ source, text: body, coverage: Math.min(1, Math.max(0, coverage)) },
    })),
    by_meaning: byMeaning !== undefined,
    quotes: !model.write && best !== undefined && best.coverage >= minCoverage,
  };
}

/** Undefined where the model fails or the budget is used up: agents then search by words. */
async function retrieve(
  { pool, clock, log }: Pick<Resources, 'pool' | 'clock' | 'log'>,
  model: RequestedModel,
  search: PassageSearch,
): Promise<Passage[] | undefined> {
  const { workspace_id, agent_id } = search;
  try {
    return await model.inShare(workspace_id, () =>
      spendCredits(
        { pool, clock },
        workspace_id,
        (meter) => retrievePassages(pool, model, search, meter),
        agent_id === undefined ? {} : { ai_agent_id: agent_id },
      ),
    );
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    log.warn({ reason: error.message }, 'knowledge was searched by words alone');
    return undefined;
  }
}
