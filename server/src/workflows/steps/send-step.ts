import { ConversationMessageSend } from '@majlis/contract';
import { Compile } from 'typebox/compile';
import { updateConversation } from '../../conversations/queries.ts';
import { parseId, publicId } from '../../database/ids.ts';
import { Refusal } from '../../http/reply/refusal.ts';
import { mediaNamedIn } from '../../messages/accept/compose-content.ts';
import { sendMessages } from '../../messages/accept/send-messages.ts';
import type { StepOf } from '../definition/definition.ts';
import { readDuration } from '../definition/read-duration.ts';
import { expand, expandValue, type Scope } from '../run/expand.ts';
import type { MovingRun } from '../run/moving-run.ts';
import { describeRefusal } from './describe-refusal.ts';
import { ensureConversation } from './ensure-conversation.ts';
import { failed, type Outcome } from './outcome.ts';

const sendable = Compile(ConversationMessageSend);

export async function sendMessageStep(moving: MovingRun, step: StepOf<'send_message'>, scope: Scope): Promise<Outcome> {
  return toOutcome(await send(moving, contentOf(step, scope)));
}

export async function sendTemplateStep(
  moving: MovingRun,
  { template: name, language, params = [], header_media_id }: StepOf<'send_template'>,
  scope: Scope,
): Promise<Outcome> {
  const template = {
    name: expand(name, scope),
    language: expand(language, scope),
    params: params.map((param) => expand(String(param), scope)),
    ...(header_media_id !== undefined && { header_media_id: expand(header_media_id, scope) }),
  };
  return toOutcome(await send(moving, { kind: 'template', template }));
}

export async function askStep(moving: MovingRun, step: StepOf<'ask'>, scope: Scope): Promise<Outcome> {
  const sent = await send(moving, contentOf(step, scope));
  if (typeof sent !== 'string') return failed(describeRefusal(sent));
  const due_at = new Date(moving.clock.nowMs() + readDuration(step.within)! * 1000);
  return { type: 'asked', message_id: sent, due_at };
}

function contentOf({ text, message }: Pick<StepOf<'ask'>, 'text' | 'message'>, scope: Scope): unknown {
  return text === undefined ? expandValue(message, scope) : { kind: 'text', body: expand(text, scope) };
}

function toOutcome(sent: string | Refusal): Outcome {
  if (typeof sent !== 'string') return failed(describeRefusal(sent));
  return { type: 'done', outcome: 'sent', result: { message_id: publicId('message', sent) } };
}

/**
 * Sends through the one gate, in the conversation that the transaction holds; answers the id. The first message of a run
 * takes control of the conversation, unless its workflow leaves that to people.
 */
async function send(moving: MovingRun, content: unknown): Promise<string | Refusal> {
  const { tx, clock, run, program } = moving;
  if (!sendable.Check(content)) {
    const detail = `The message is not one that can be sent: ${sendable.Errors(content)[0]?.message}.`;
    return new Refusal('unprocessable_content', { detail });
  }
  const conversation = await ensureConversation(moving);
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
    await updateConversation(tx, conversation, { controller: 'bot', workflow_run_id: run.id, ai_agent_id: null });
    Object.assign(conversation, { controller: 'bot', workflow_run_id: run.id, ai_agent_id: null });
    run.has_control = true;
  }
  return sent!.id;
}
