import { ConversationMessageSend } from '@majlis/contract';
import { Compile } from 'typebox/compile';
import { updateConversation } from '../../conversations/queries.ts';
import { parseId, publicId } from '../../database/ids.ts';
import { findBoundFault } from '../../http/body/check-bounds.ts';
import { invalid, Refusal } from '../../http/reply/refusal.ts';
import { mediaNamedIn } from '../../messages/accept/compose-content.ts';
import { sendMessages } from '../../messages/accept/send-messages.ts';
import type { StepOf } from '../definition/definition.ts';
import { readDuration } from '../definition/read-duration.ts';
import { expand, expandValue, type VariableScope } from '../run/expand.ts';
import type { LockedRun } from '../run/lock-run.ts';
import { actorOfRun } from '../run/new-run.ts';
import { describeRefusal } from './describe-refusal.ts';
import { ensureConversation } from './ensure-conversation.ts';
import { type StepOutcome, stepFailed } from './step-outcome.ts';

const sendable = Compile(ConversationMessageSend);

export async function sendMessageStep(
  locked: LockedRun,
  step: StepOf<'send_message'>,
  scope: VariableScope,
): Promise<StepOutcome> {
  return toOutcome(await sendInRun(locked, composeStepContent(step, scope)));
}

export async function sendTemplateStep(
  locked: LockedRun,
  { template: name, language, params = [], header_media_id }: StepOf<'send_template'>,
  scope: VariableScope,
): Promise<StepOutcome> {
  const template = {
    name: expand(name, scope),
    language: expand(language, scope),
    params: params.map((param) => expand(String(param), scope)),
    ...(header_media_id !== undefined && { header_media_id: expand(header_media_id, scope) }),
  };
  return toOutcome(await sendInRun(locked, { kind: 'template', template }));
}

export async function askStep(locked: LockedRun, step: StepOf<'ask'>, scope: VariableScope): Promise<StepOutcome> {
  const sent = await sendInRun(locked, composeStepContent(step, scope));
  if (typeof sent !== 'string') return stepFailed(describeRefusal(sent));
  const due_at = new Date(locked.clock.nowMs() + readDuration(step.within)! * 1000);
  return { type: 'asked', message_id: sent, due_at };
}

function composeStepContent({ text, message }: Pick<StepOf<'ask'>, 'text' | 'message'>, scope: VariableScope): unknown {
  return text === undefined ? expandValue(message, scope) : { kind: 'text', body: expand(text, scope) };
}

function toOutcome(sent: string | Refusal): StepOutcome {
  if (typeof sent !== 'string') return stepFailed(describeRefusal(sent));
  return { type: 'done', outcome: 'sent', result: { message_id: publicId('message', sent) } };
}

/**
 * Sends by the rules of every send, in the locked conversation. Returns the message id or the refusal. The first message
 * takes control of the conversation, unless `control` of the workflow is `human`.
 */
async function sendInRun(locked: LockedRun, content: unknown): Promise<string | Refusal> {
  const { tx, clock, run, program } = locked;
  const beyond = findBoundFault(ConversationMessageSend, content, locked.limits.bounds);
  if (beyond) return invalid(beyond);
  if (!sendable.Check(content)) {
    const detail = `The message is not one that can be sent: ${sendable.Errors(content)[0]?.message}.`;
    return new Refusal('unprocessable_content', { detail });
  }
  const conversation = await ensureConversation(locked);
  if (!conversation) return new Refusal('unprocessable_content', { detail: 'The contact is on no channel.' });
  const { template, reply_to_id } = content;
  const media = mediaNamedIn(content);
  const [sent] = await sendMessages(tx, clock, [
    {
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
    },
  ]);
  if (sent instanceof Refusal) return sent;
  conversation.status = 'open';
  if (program.control === 'bot' && !run.has_control) {
    const change = { controller: 'bot', workflow_run_id: run.id, ai_agent_id: null } as const;
    await updateConversation(tx, clock, conversation, change, { actor: actorOfRun(run) });
    run.has_control = true;
  }
  return sent!.id;
}
