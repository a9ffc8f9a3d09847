import type { ReplyCompose, ReplyDraft } from '@majlis/contract';
import type { Resources } from '../../process/resources.ts';
import { composePrompt } from '../answers/prompts.ts';
import { joinLines, readTranscript, unansweredLines } from '../answers/transcript.ts';
import { spendCredits } from '../credits.ts';
import { findPassages, type Passage } from '../knowledge/find-passages.ts';
import { quoteDraft } from '../knowledge/quote-passages.ts';
import { retrievePassages } from '../knowledge/retrieve-passages.ts';
import { ModelFailure } from '../model-failure.ts';
import type { RequestedModel } from '../requested-model.ts';

const maxLines = 30;
const maxPassages = 6;

/** Drafts the next reply. Without a working model it quotes the knowledge. Holds no connection during the model call. */
export async function composeReply(
  resources: Pick<Resources, 'pool' | 'clock' | 'log'>,
  model: RequestedModel,
  { workspace_id, conversation_id }: { workspace_id: string; conversation_id: string },
  request: ReplyCompose,
): Promise<ReplyDraft> {
  const { pool, log } = resources;
  const lines = await readTranscript(pool, workspace_id, conversation_id, maxLines);
  const customer = joinLines(unansweredLines(lines));
  const query = [request.instruction ?? '', customer].join('\n').trim();
  const search = { workspace_id, text: query, count: maxPassages };
  const { write } = model;
  if (write) {
    try {
      return await model.inShare(workspace_id, () =>
        spendCredits(resources, workspace_id, async (meter) => {
          const passages = await retrievePassages(pool, model, search, meter);
          return readDraft(await write(composePrompt(request, lines, passages), meter), passages);
        }),
      );
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error;
      log.warn({ reason: error.message }, 'a draft is made without the model');
    }
  }
  return quoteDraft(request, query, customer, await findPassages(pool, search));
}

/** Removes the marks such as [1], which name the used passages. Without marks, all passages count as sources. */
function readDraft(text: string, passages: readonly Passage[]): ReplyDraft {
  const marks = new Set(
    [...text.matchAll(/\[(\d{1,2}(?:\s*,\s*\d{1,2})*)\]/g)].flatMap(([, numbers]) => numbers!.split(',').map(Number)),
  );
  const marked = passages.filter((_, index) => marks.has(index + 1));
  const draft = text.replace(/(?<!\s)\s*\[\d{1,2}(?:\s*,\s*\d{1,2})*\]/g, '').trim();
  if (draft === '') throw new ModelFailure('the model wrote nothing');
  return { draft, sources: [...new Set((marked.length > 0 ? marked : passages).map(({ source }) => source))] };
}
