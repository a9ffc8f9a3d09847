import type { Job } from '../../jobs/job.ts';
import type { Resources } from '../../process/resources.ts';
import { spendCredits, taskOfJob } from '../credits.ts';
import { findPassages } from '../knowledge/find-passages.ts';
import { quoteOf } from '../knowledge/quote-passages.ts';
import { retrieve } from '../knowledge/retrieve.ts';
import type { Meter, Model } from '../model.ts';
import { ModelFailure } from '../model-failure.ts';
import { type AgentDecision, asksForPerson, isAtWork, readAnswer, tidyReason } from '../rules.ts';
import { agentTools } from './agent-tools.ts';
import type { AnswerTask } from './find-task.ts';
import { agentPrompt, agentRules } from './prompts.ts';
import { type Line, readTranscript, textOf, unansweredLines } from './transcript.ts';

const linesRead = 30;
const passagesRead = 6;
// Without a model a passage is quoted if it has most of what was asked for; else a person had better look.
const sureFrom = 0.59;
// What fails behind the model, each time, would ask it for ever, and the conversation would stand still. A wait for the customer
// to be quiet counts as one.
const mostFailures = 3;

type Needs = Pick<Resources, 'pool' | 'clock' | 'log'>;

/** What an agent makes of what was written to it. Calls the model, so no transaction is open. */
export async function decideAnswer(resources: Needs, model: Model, job: Job, task: AnswerTask): Promise<AgentDecision> {
  if (job.failures >= mostFailures) return { type: 'hand_over', reason: 'it failed several times' };
  if (!isAtWork(task.status)) return { type: 'hand_over', reason: `its status is ${task.status}` };
  const lines = await readTranscript(resources.pool, task.workspace_id, task.conversation_id, linesRead);
  const unanswered = unansweredLines(lines);
  if (asksForPerson(textOf(unanswered))) return { type: 'hand_over', reason: 'the customer asked for a person' };
  if (unanswered.every(({ text }) => /^\[\w+\]$/.test(text))) {
    return { type: 'hand_over', reason: 'it cannot read what the customer sent' };
  }
  if (!model.write) return quoteAnswer(resources, task, textOf(unanswered));
  try {
    return await writeAnswer(resources, model, job, task, lines);
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    resources.log.warn({ reason: error.message }, 'an agent could not answer');
    return { type: 'hand_over', reason: error.message };
  }
}

async function writeAnswer(
  resources: Needs,
  model: Model,
  job: Job,
  task: AnswerTask,
  lines: readonly Line[],
): Promise<AgentDecision> {
  const { pool } = resources;
  const { workspace_id, ai_agent_id: agent_id } = task;
  const { tools, handedOver } = await agentTools(pool, workspace_id, agent_id);
  const write = async (meter: Meter): Promise<AgentDecision> => {
    const text = textOf(unansweredLines(lines));
    const passages = await retrieve(pool, model, { workspace_id, agent_id, text, count: passagesRead }, meter);
    const prompt = agentPrompt(task, lines, passages);
    const answer = await model.write!({ ...prompt, tools }, meter);
    const reason = handedOver();
    if (reason !== undefined) return { type: 'hand_over', reason: tidyReason(reason) };
    if (answer === '') throw new ModelFailure('the model wrote nothing');
    return readAnswer(answer, agentRules);
  };
  return spendCredits(resources, workspace_id, write, taskOfJob(job));
}

async function quoteAnswer({ pool }: Needs, task: AnswerTask, text: string): Promise<AgentDecision> {
  const { workspace_id, ai_agent_id: agent_id } = task;
  const [best] = await findPassages(pool, { workspace_id, agent_id, text, count: 1 });
  if (!best || best.coverage < sureFrom) return { type: 'hand_over', reason: 'it is not sure of the answer' };
  return { type: 'answer', text: quoteOf(best.body, text, 4) };
}
