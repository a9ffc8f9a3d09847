import type { ReplyCompose, ReplyDraft } from '@majlis/contract';
import type { Resources } from '../../process/resources.ts';
import { composePrompt } from '../answers/prompts.ts';
import { readTranscript, textOf, unansweredLines } from '../answers/transcript.ts';
import { spendCredits } from '../credits.ts';
import { findPassages, type Passage } from '../knowledge/find-passages.ts';
import { quoteDraft } from '../knowledge/quote-passages.ts';
import { retrieve } from '../knowledge/retrieve.ts';
import type { Model } from '../model.ts';
import { ModelFailure } from '../model-failure.ts';

const linesRead = 30;
const passagesRead = 6;

/** Drafts the next reply of a conversation. Where no model answers, it is quoted from the knowledge. Holds no connection meanwhile. */
export async function composeReply(
  resources: Pick<Resources, 'pool' | 'clock' | 'log'>,
  model: Model,
  { workspace_id, conversation_id }: { workspace_id: string; conversation_id: string },
  request: ReplyCompose,
): Promise<ReplyDraft> {
  const { pool, log } = resources;
  const lines = await readTranscript(pool, workspace_id, conversation_id, linesRead);
  const customer = textOf(unansweredLines(lines));
  const asked = [request.instruction ?? '', customer].join('\n').trim();
  const search = { workspace_id, text: asked, count: passagesRead };
  const { write } = model;
  if (write) {
    try {
      return await spendCredits(resources, workspace_id, async (meter) => {
        const passages = await retrieve(pool, model, search, meter);
        return readDraft(await write(composePrompt(request, lines, passages), meter), passages);
      });
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error;
      log.warn({ reason: error.message }, 'a draft is made without the model');
    }
  }
  return quoteDraft(request, asked, customer, await findPassages(pool, search));
}

/** The marks tell what the draft rests on, and are no part of it. Without any, it may rest on all that the model was given. */
function readDraft(text: string, passages: readonly Passage[]): ReplyDraft {
  const marks = new Set(
    [...text.matchAll(/\[(\d{1,2}(?:\s*,\s*\d{1,2})*)\]/g)].flatMap(([, numbers]) => numbers!.split(',').map(Number)),
  );
  const marked = passages.filter((_, index) => marks.has(index + 1));
  const draft = text.replace(/\s*\[\d{1,2}(?:\s*,\s*\d{1,2})*\]/g, '').trim();
  if (draft === '') throw new ModelFailure('the model wrote nothing');
  return { draft, sources: [...new Set((marked.length > 0 ? marked : passages).map(({ source }) => source))] };
}
