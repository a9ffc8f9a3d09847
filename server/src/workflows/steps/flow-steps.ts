import { WorkflowRunStart } from '@majlis/contract';
import { continueRunJob } from '../../automation/jobs.ts';
import { updateConversation } from '../../conversations/queries.ts';
import { newId, publicId } from '../../database/ids.ts';
import { enqueueJobs } from '../../jobs/enqueue.ts';
import type { Instruction, StepOf } from '../definition/definition.ts';
import { readDuration } from '../definition/read-duration.ts';
import { ConditionEvaluator } from '../run/evaluate-conditions.ts';
import { expand, expandValue, type VariableScope } from '../run/expand.ts';
import { findChainFault, findMinuteEnd } from '../run/limit-runs.ts';
import { loadProgram } from '../run/load-program.ts';
import type { LockedRun } from '../run/lock-run.ts';
import { actorOfRun, chainBehind, newRun, setStart } from '../run/new-run.ts';
import { findWorkflow, insertRun } from '../run/run-queries.ts';
import { failBeyondBounds } from './fail-beyond-bounds.ts';
import { readZonedMoment } from './read-zoned-moment.ts';
import { type StepOutcome, stepFailed } from './step-outcome.ts';

export function waitStep({ clock }: LockedRun, step: StepOf<'wait'>, scope: VariableScope): StepOutcome {
  if (step.for !== undefined)
    return { type: 'waits', due_at: new Date(clock.nowMs() + readDuration(step.for)! * 1000) };
  const due_at = readZonedMoment(expand(step.until!, scope));
  if (!due_at) {
    return stepFailed('until is not a moment such as 2026-11-30T09:00:00+04:00.');
  }
  return { type: 'waits', due_at };
}

export function branchStep({ cases = [], otherwise = null }: Instruction, scope: VariableScope): StepOutcome {
  const evaluator = new ConditionEvaluator(scope);
  const index = cases.findIndex(({ when }) => evaluator.allHold(when));
  if (index < 0) return { type: 'done', outcome: 'else', to: otherwise, result: { case: 'else' } };
  return { type: 'done', outcome: `case ${index + 1}`, to: cases[index]!.to, result: { case: index + 1 } };
}

/** Starts another workflow for the same contact. A controlling run passes control of the conversation to it. */
export async function startWorkflowStep(
  locked: LockedRun,
  step: StepOf<'start_workflow'>,
  scope: VariableScope,
): Promise<StepOutcome> {
  const { tx, clock, limits, run, conversation } = locked;
  const workflow = await findWorkflow(tx, run.workspace_id, { name: expand(step.workflow, scope) });
  if (!workflow) return stepFailed(`The workspace has no workflow "${expand(step.workflow, scope)}".`);
  if (workflow.status !== 'published' || workflow.version === 0)
    return stepFailed(`"${workflow.name}" is not published.`);
  const chain = chainBehind(run);
  const fault = await findChainFault(tx, limits, { workspace_id: run.workspace_id, ...chain });
  if (fault) return stepFailed(fault.reason);
  if (await findMinuteEnd(tx, limits, { workspace_id: run.workspace_id, now: clock.now() })) {
    return stepFailed(`The workspace started ${limits.per_minute} runs in this minute (WORKFLOW_RUNS_PER_MINUTE).`);
  }
  const variables = expandValue(step.variables ?? {}, scope);
  const failure = failBeyondBounds(locked, WorkflowRunStart, { variables });
  if (failure) return failure;
  const started = newRun(newId(clock), {
    workspace_id: run.workspace_id,
    workflow_id: workflow.id,
    version: workflow.version,
    contact_id: run.contact_id,
    conversation_id: run.conversation_id,
    ...chain,
    trigger: { type: 'start_workflow', variables },
  });
  const program = await loadProgram(tx, started);
  setStart(started, program);
  if (run.has_control && program.control === 'bot') {
    started.has_control = true;
    run.has_control = false;
    const cause = { actor: actorOfRun(run), workflow_id: workflow.id };
    await updateConversation(tx, clock, conversation!, { workflow_run_id: started.id }, cause);
  }
  await insertRun(tx, started, clock.now());
  await enqueueJobs(tx, [continueRunJob({ ...started, run_id: started.id }, clock.now(), false)]);
  return { type: 'done', outcome: 'started', result: { run_id: publicId('workflow_run', started.id) } };
}
