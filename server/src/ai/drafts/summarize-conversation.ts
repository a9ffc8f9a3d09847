import type { ConversationSummary } from '@majlis/contract';
import { parseStorableJson } from '../../database/storable-text.ts';
import type { Resources } from '../../process/resources.ts';
import { summaryPrompt } from '../answers/prompts.ts';
import { readTranscript } from '../answers/transcript.ts';
import { spendCredits } from '../credits.ts';
import type { Model } from '../model.ts';
import { ModelFailure } from '../model-failure.ts';
import { extractSummary } from './extract-summary.ts';

const linesRead = 100;

/** Summarises a conversation; where no model answers in a form that can be read, by its own words. */
export async function summarizeConversation(
  resources: Pick<Resources, 'pool' | 'clock' | 'log'>,
  { write }: Pick<Model, 'write'>,
  { workspace_id, conversation_id }: { workspace_id: string; conversation_id: string },
): Promise<ConversationSummary> {
  const { pool, log } = resources;
  const lines = await readTranscript(pool, workspace_id, conversation_id, linesRead);
  if (write && lines.length > 0) {
    try {
      return await spendCredits(resources, workspace_id, async (meter) =>
        readSummary(await write(summaryPrompt(lines), meter)),
      );
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error;
      log.warn({ reason: error.message }, 'a summary is made without the model');
    }
  }
  return extractSummary(lines);
}

/** Models like to put words or fences around what they are asked for. */
function readSummary(text: string): ConversationSummary {
  const [json = ''] = /\{[\s\S]*\}/.exec(text) ?? [];
  let parsed: Partial<Record<string, unknown>>;
  try {
    parsed = parseStorableJson(json) as typeof parsed;
  } catch {
    throw new ModelFailure('the model wrote no summary that can be read');
  }
  const { summary, sentiment, intent } = parsed;
  if (typeof summary !== 'string' || summary.trim() === '') throw new ModelFailure('the model wrote no summary');
  const wordOf = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : 'unknown');
  return { summary: summary.trim(), sentiment: wordOf(sentiment), intent: wordOf(intent) };
}
