import { ConversationMessageSend } from '@majlis/contract';
import { Compile } from 'typebox/compile';
import { type LockedConversation, updateConversation } from '../../conversations/queries.ts';
import { parseId, publicId } from '../../database/ids.ts';
import { findBoundFault } from '../../http/body/check-bounds.ts';
import { invalid, Refusal } from '../../http/reply/refusal.ts';
import { mediaNamedIn } from '../../messages/accept/compose-content.ts';
import { type Send, sendMessages } from '../../messages/accept/send-messages.ts';
import type { StepOf, WorkflowStep } from '../definition/definition.ts';
import { readDuration } from '../definition/read-duration.ts';
import { expand, expandValue, type VariableScope } from '../run/expand.ts';
import type { LockedRun } from '../run/lock-run.ts';
import { actorOfRun } from '../run/new-run.ts';
import { ensureConversation } from './ensure-conversation.ts';
import { type StepOutcome, sendRefused } from './step-outcome.ts';

const sendable = Compile(ConversationMessageSend);

type SendingStep = StepOf<'send_message'> | StepOf<'send_template'> | StepOf<'ask'>;

export async function sendStep(locked: LockedRun, step: SendingStep, scope: VariableScope): Promise<StepOutcome> {
  return sendOfStep(locked, step, composeStepContent(step, scope));
}

/** Sends the message of a step. `by`: the person who has written it anew. */
export async function sendOfStep(
  locked: LockedRun,
  step: SendingStep,
  content: unknown,
  by?: { user_id: string },
): Promise<StepOutcome> {
  const sent = await sendInRun(locked, content, by);
  if (typeof sent !== 'string') return sendRefused(sent);
  if (step.do !== 'ask') return { type: 'done', outcome: 'sent', result: { message_id: publicId('message', sent) } };
  const due_at = new Date(locked.clock.nowMs() + readDuration(step.within)! * 1000);
  return { type: 'asked', message_id: sent, due_at };
}

export function isSending(step: WorkflowStep): step is SendingStep {
  return step.do === 'send_message' || step.do === 'send_template' || step.do === 'ask';
}

/** The content of a send, with the values of the variables. */
export function composeStepContent(step: SendingStep, scope: VariableScope): unknown {
  if (step.do !== 'send_template') {
    return step.text === undefined
      ? expandValue(step.message, scope)
      : { kind: 'text', body: expand(step.text, scope) };
  }
  const { template: name, language, params = [], header_media_id } = step;
  const template = {
    name: expand(name, scope),
    language: expand(language, scope),
    params: params.map((param) => expand(String(param), scope)),
    ...(header_media_id !== undefined && { header_media_id: expand(header_media_id, scope) }),
  };
  return { kind: 'template', template };
}

/**
 * Sends by the rules of every send, in the locked conversation. Returns the message id or the refusal. The first message
 * takes control of the conversation, unless `control` of the workflow is `human`.
 */
async function sendInRun(
  locked: LockedRun,
  content: unknown,
  by: { user_id: string } | undefined,
): Promise<string | Refusal> {
  const { tx, clock, run, program } = locked;
  const conversation = await ensureConversation(locked);
  if (!conversation) return new Refusal('unprocessable_content', { detail: 'The contact is on no channel.' });
  const send = toSendOfRun(locked, conversation, content);
  if (send instanceof Refusal) return send;
  const [sent] = await sendMessages(tx, clock, [by ? { ...send, actor: { kind: 'user', id: by.user_id } } : send]);
  if (sent instanceof Refusal) return sent;
  conversation.status = 'open';
  if (program.control === 'bot' && !run.has_control) {
    const change = { controller: 'bot', workflow_run_id: run.id, ai_agent_id: null } as const;
    await updateConversation(tx, clock, conversation, change, { actor: actorOfRun(run) });
    run.has_control = true;
  }
  return sent!.id;
}

/** A send in the name of the run, or the refusal of what is no message. */
export function toSendOfRun(
  { run, limits }: LockedRun,
  conversation: LockedConversation,
  content: unknown,
): Send | Refusal {
  const beyond = findBoundFault(ConversationMessageSend, content, limits.bounds);
  if (beyond) return invalid(beyond);
  if (!sendable.Check(content)) {
    const detail = `The message is not one that can be sent: ${sendable.Errors(content)[0]?.message}.`;
    return new Refusal('unprocessable_content', { detail });
  }
  const { template, reply_to_id } = content;
  const media = mediaNamedIn(content);
  return {
    names: {
      workspace_id: run.workspace_id,
      conversation_id: conversation.id,
      template_name: template?.name,
      template_language: template?.language,
      media_id: media === undefined ? undefined : parseId('media', media),
      reply_to_id: reply_to_id === undefined ? undefined : parseId('message', reply_to_id),
    },
    content,
    reopens: true,
    actor: { kind: 'workflow', id: run.workflow_id },
    bot: { kind: 'workflow_run', id: run.id, needs_control: run.has_control },
  };
}
