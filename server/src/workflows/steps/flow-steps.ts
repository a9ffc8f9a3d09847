import { continueRunJob } from '../../automation/jobs.ts';
import { updateConversation } from '../../conversations/queries.ts';
import { newId, publicId } from '../../database/ids.ts';
import { momentOf } from '../../database/moment-of.ts';
import { enqueueJobs } from '../../jobs/enqueue.ts';
import type { Instruction, StepOf } from '../definition/definition.ts';
import { readDuration } from '../definition/read-duration.ts';
import { allConditionsHold } from '../run/evaluate-conditions.ts';
import { expand, expandValue, type VariableScope } from '../run/expand.ts';
import { loadProgram } from '../run/load-program.ts';
import type { LockedRun } from '../run/lock-run.ts';
import { newRun, setStart } from '../run/new-run.ts';
import { findWorkflow, insertRun } from '../run/run-queries.ts';
import { type StepOutcome, stepFailed } from './step-outcome.ts';

export function waitStep({ clock }: LockedRun, step: StepOf<'wait'>, scope: VariableScope): StepOutcome {
  if (step.for !== undefined)
    return { type: 'waits', due_at: new Date(clock.nowMs() + readDuration(step.for)! * 1000) };
  const text = expand(step.until!, scope);
  const due_at = momentOf(text);
  // Without a zone the text would mean another moment on another machine.
  if (!due_at || !/(Z|[+-]\d\d:?\d\d)$/.test(text)) {
    return stepFailed('until is not a moment such as 2026-11-30T09:00:00+04:00.');
  }
  return { type: 'waits', due_at };
}

export function branchStep({ cases = [], otherwise = null }: Instruction, scope: VariableScope): StepOutcome {
  const index = cases.findIndex(({ when }) => allConditionsHold(when, scope));
  if (index < 0) return { type: 'done', outcome: 'else', to: otherwise, result: { case: 'else' } };
  return { type: 'done', outcome: `case ${index + 1}`, to: cases[index]!.to, result: { case: index + 1 } };
}

/** The longest chain of runs that start each other: it ends circles of workflows. */
export const maxRunDepth = 5;
export const tooDeepReason = `A chain of ${maxRunDepth} runs led to this one, each started by the one before: it is not started.`;

/** Starts another workflow for the same contact. A controlling run passes control of the conversation to it. */
export async function startWorkflowStep(
  locked: LockedRun,
  step: StepOf<'start_workflow'>,
  scope: VariableScope,
): Promise<StepOutcome> {
  const { tx, clock, run, conversation } = locked;
  const workflow = await findWorkflow(tx, run.workspace_id, { name: expand(step.workflow, scope) });
  if (!workflow) return stepFailed(`The workspace has no workflow "${expand(step.workflow, scope)}".`);
  if (workflow.status !== 'published' || workflow.version === 0)
    return stepFailed(`"${workflow.name}" is not published.`);
  if (run.depth >= maxRunDepth) return stepFailed(tooDeepReason);
  const started = newRun(newId(clock), {
    workspace_id: run.workspace_id,
    workflow_id: workflow.id,
    version: workflow.version,
    contact_id: run.contact_id,
    conversation_id: run.conversation_id,
    depth: run.depth + 1,
    trigger: { type: 'start_workflow', variables: expandValue(step.variables ?? {}, scope) },
  });
  const program = await loadProgram(tx, started);
  setStart(started, program);
  if (run.has_control && program.control === 'bot') {
    started.has_control = true;
    run.has_control = false;
    conversation!.workflow_run_id = started.id;
    await updateConversation(tx, conversation!, { workflow_run_id: started.id });
  }
  await insertRun(tx, started, clock.now());
  await enqueueJobs(tx, [continueRunJob({ ...started, run_id: started.id }, clock.now(), false)]);
  return { type: 'done', outcome: 'started', result: { run_id: publicId('workflow_run', started.id) } };
}
