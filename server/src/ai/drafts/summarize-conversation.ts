import type { ConversationSummary } from '@majlis/contract';
import { parseStorableJson } from '../../database/storable-text.ts';
import type { Resources } from '../../process/resources.ts';
import { summaryPrompt } from '../answers/prompts.ts';
import { readTranscript } from '../answers/transcript.ts';
import { spendCredits } from '../credits.ts';
import { ModelFailure } from '../model-failure.ts';
import type { RequestedModel } from '../requested-model.ts';
import { extractSummary } from './extract-summary.ts';

const maxLines = 100;

/** Summarises a conversation. Without a readable answer of a model it quotes the conversation. */
export async function summarizeConversation(
  resources: Pick<Resources, 'pool' | 'clock' | 'log'>,
  { write, inShare }: RequestedModel,
  { workspace_id, conversation_id }: { workspace_id: string; conversation_id: string },
): Promise<ConversationSummary> {
  const { pool, log } = resources;
  const lines = await readTranscript(pool, workspace_id, conversation_id, maxLines);
  if (write && lines.length > 0) {
    try {
      return await inShare(workspace_id, () =>
        spendCredits(resources, workspace_id, async (meter) => readSummary(await write(summaryPrompt(lines), meter))),
      );
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error;
      log.warn({ reason: error.message }, 'a summary is made without the model');
    }
  }
  return extractSummary(lines);
}

/** Finds the JSON object: models often add words or code fences around it. */
function readSummary(text: string): ConversationSummary {
  const json = text.slice(Math.max(0, text.indexOf('{')), text.lastIndexOf('}') + 1);
  let parsed: Partial<Record<string, unknown>>;
  try {
    parsed = parseStorableJson(json) as typeof parsed;
  } catch {
    throw new ModelFailure('the model wrote no summary that can be read');
  }
  const { summary, sentiment, intent } = parsed;
  if (typeof summary !== 'string' || summary.trim() === '') throw new ModelFailure('the model wrote no summary');
  const readWord = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : 'unknown');
  return { summary: summary.trim(), sentiment: readWord(sentiment), intent: readWord(intent) };
}
