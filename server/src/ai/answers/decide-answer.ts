import type { Job } from '../../jobs/job.ts';
import type { Resources } from '../../process/resources.ts';
import { spendCredits, taskIdOf } from '../credits.ts';
import { findPassages } from '../knowledge/find-passages.ts';
import { quotePassage } from '../knowledge/quote-passages.ts';
import { retrievePassages } from '../knowledge/retrieve-passages.ts';
import type { Meter, Model } from '../model.ts';
import { ModelFailure } from '../model-failure.ts';
import { type AgentDecision, asksForPerson, checkAnswer, isActive, tidyReason } from '../rules.ts';
import { createAgentTools } from './agent-tools.ts';
import type { AnswerTask } from './find-answer-task.ts';
import { agentPrompt, agentRules } from './prompts.ts';
import { joinLines, readTranscript, type TranscriptLine, unansweredLines } from './transcript.ts';

const maxLines = 30;
const maxPassages = 6;
// Without a model, a passage is quoted only if it contains most of the question. Otherwise the agent hands over.
export const minCoverage = 0.59;
// Bounds the model calls of a job that fails after each call. A wait for the quiet customer counts as one failure.
const maxFailures = 3;

type Dependencies = Pick<Resources, 'pool' | 'clock' | 'log'>;

/** Decides how the agent reacts. Calls the model, so no transaction may be open. */
export async function decideAnswer(
  resources: Dependencies,
  model: Model,
  job: Job,
  task: AnswerTask,
): Promise<AgentDecision> {
  if (job.failures >= maxFailures) return { type: 'hand_over', reason: 'it failed several times' };
  if (!isActive(task.status)) return { type: 'hand_over', reason: `its status is ${task.status}` };
  const lines = await readTranscript(resources.pool, task.workspace_id, task.conversation_id, maxLines);
  const unanswered = unansweredLines(lines);
  if (asksForPerson(joinLines(unanswered))) return { type: 'hand_over', reason: 'the customer asked for a person' };
  if (unanswered.every(({ text }) => /^\[\w+\]$/.test(text))) {
    return { type: 'hand_over', reason: 'it cannot read what the customer sent' };
  }
  if (!model.write) return quoteAnswer(resources, task, joinLines(unanswered));
  try {
    return await writeAnswer(resources, model, job, task, lines);
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    resources.log.warn({ reason: error.message }, 'an agent could not answer');
    return { type: 'hand_over', reason: error.message };
  }
}

async function writeAnswer(
  resources: Dependencies,
  model: Model,
  job: Job,
  task: AnswerTask,
  lines: readonly TranscriptLine[],
): Promise<AgentDecision> {
  const { pool } = resources;
  const { workspace_id, ai_agent_id: agent_id } = task;
  const { tools, handedOver, readSources } = await createAgentTools(pool, workspace_id, agent_id);
  const write = async (meter: Meter): Promise<AgentDecision> => {
    const text = joinLines(unansweredLines(lines));
    const passages = await retrievePassages(pool, model, { workspace_id, agent_id, text, count: maxPassages }, meter);
    const prompt = agentPrompt(task, lines, passages);
    const answer = await model.write!({ ...prompt, tools }, meter);
    const reason = handedOver();
    if (reason !== undefined) return { type: 'hand_over', reason: tidyReason(reason) };
    if (answer === '') throw new ModelFailure('the model wrote nothing');
    return checkAnswer(answer, agentRules, [...passages.map(({ source }) => source), ...readSources()]);
  };
  return spendCredits(resources, workspace_id, write, { id: taskIdOf(job), ai_agent_id: agent_id });
}

async function quoteAnswer({ pool }: Dependencies, task: AnswerTask, text: string): Promise<AgentDecision> {
  const { workspace_id, ai_agent_id: agent_id } = task;
  const [best] = await findPassages(pool, { workspace_id, agent_id, text, count: 1 });
  if (!best || best.coverage < minCoverage) return { type: 'hand_over', reason: 'it is not sure of the answer' };
  return { type: 'answer', text: quotePassage(best.body, text, 4), sources: [best.source] };
}
