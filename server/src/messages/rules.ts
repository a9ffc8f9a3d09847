import type { MessageStatus } from '@majlis/contract';
import { Refusal } from '../http/reply/refusal.ts';

/** The state of a conversation and its contact that decides whether the business may write. */
export interface SendState {
  blocked: boolean | null;
  status: string | null;
  controller: string | null;
  /** The bot in control, if any: the workflow run, or else the AI agent. */
  workflow_run_id?: string | null;
  ai_agent_id?: string | null;
  /** The bot in control is the platform's own agent. */
  held_by_platform?: boolean | null;
  window_expires_at: Date | null;
}

/** The bot that sends: a workflow run or an AI agent. */
export interface SendingBot {
  kind: 'workflow_run' | 'ai_agent';
  id: string;
  /** False where it may send while people are in control. */
  needs_control: boolean;
}

export interface SendIntent {
  kind: string;
  /** Undefined for a user, a broadcast and the service itself. */
  bot?: SendingBot | undefined;
  /** A person who writes takes the conversation from the platform's own agent. */
  by_person?: boolean | undefined;
  /** POST /v1/messages reopens a closed conversation, as the contract says. */
  reopens: boolean;
}

/** The rules of every send, in the contract's order of refusals. Undefined where the send is allowed. */
export function refuseSend(state: SendState, intent: SendIntent, now: Date): Refusal | undefined {
  if (state.blocked) return new Refusal('contact_blocked');
  if (state.status === 'closed' && !intent.reopens) return new Refusal('conversation_closed');
  const uncontrolled = takesFromPlatform(state, intent) ? undefined : refuseControl(state, intent.bot);
  if (uncontrolled) return uncontrolled;
  if (intent.kind !== 'template' && !isWindowOpen(state.window_expires_at, now)) return new Refusal('window_closed');
  return undefined;
}

/** Whether the send takes the conversation from the platform's own agent. */
export function takesFromPlatform(state: SendState, { by_person }: Pick<SendIntent, 'by_person'>): boolean {
  return Boolean(by_person && state.controller === 'bot' && state.held_by_platform);
}

/** Only the bot in control may write. A late message of a bot that has lost control is refused. */
function refuseControl(state: SendState, bot: SendingBot | undefined): Refusal | undefined {
  if (state.controller !== 'bot') {
    const detail = 'The bot that sends does not control the conversation any more.';
    return bot?.needs_control ? new Refusal('bot_in_control', { detail }) : undefined;
  }
  const controls = state.workflow_run_id
    ? bot?.kind === 'workflow_run' && bot.id === state.workflow_run_id
    : bot?.kind === 'ai_agent' && bot.id === state.ai_agent_id;
  return controls ? undefined : new Refusal('bot_in_control');
}

/** At the moment of expiry the window is closed. */
export function isWindowOpen(expiresAt: Date | null, now: Date): boolean {
  return expiresAt !== null && now.getTime() < expiresAt.getTime();
}

const ranks = { queued: 0, sent: 1, delivered: 2, read: 3 };

/** The state of a message that decides about its next status. */
export interface MessageState {
  status: MessageStatus;
  /** The outcome of the call is unknown. A failure for this reason gives way to every status of the platform. */
  outcome_unknown: boolean;
}

/**
 * Whether a reported status advances a message. Statuses never go backwards, and skipped ones are not invented. `failed`
 * does not undo a delivery; a delivery that is reported after `failed` replaces it.
 */
export function advances(current: MessageState, reported: MessageStatus): boolean {
  if (current.status === 'failed' && current.outcome_unknown) return true;
  if (reported === 'failed') return current.status === 'queued' || current.status === 'sent';
  if (current.status === 'failed') return reported === 'delivered' || reported === 'read';
  return ranks[reported] > ranks[current.status];
}

/** The detail of the refusal of a marketing template without an opt-in. */
export const optInMissing = 'A marketing template needs the opt-in of the contact, consents.chatapp_marketing.';

/** The state that decides about a call to the platform, read right before the call. */
export interface DispatchState {
  blocked: boolean;
  /** Its broadcast was cancelled. */
  is_cancelled: boolean;
  /** The status of its template as last reported; null where the template was deleted. */
  template_status: string | null;
  /** By the category of its template; where the template was deleted, by the category at acceptance. */
  is_marketing: boolean;
  marketing_opt_in: boolean | null;
  channel_fault: string | null;
  /** A person disconnected its channel. */
  is_disconnected: boolean;
  kind: string;
  quoted_platform_id: string | null;
}

export const disconnectedReason = 'The channel was disconnected before the message was sent.';
export const cancelledReason = 'The broadcast was cancelled before the message was sent.';

/**
 * The reason why an accepted message is not sent, for its status `failed`. A closed conversation, a closed window and a
 * deleted template are no reasons: the platform decides. A withdrawn opt-in is one (hazard H72).
 */
export function refuseDispatch(state: DispatchState): string | undefined {
  if (state.blocked) return 'The contact was blocked before the message was sent.';
  if (state.is_cancelled) return cancelledReason;
  if (state.is_disconnected) return disconnectedReason;
  if (state.is_marketing && !state.marketing_opt_in) return `unprocessable_content: ${optInMissing}`;
  if (state.template_status !== null && state.template_status !== 'approved') {
    return `The template is no longer approved: it is ${state.template_status}.`;
  }
  if (state.kind === 'reaction' && !state.quoted_platform_id) {
    return 'The message that the reaction is for never reached the customer.';
  }
  return state.channel_fault ?? undefined;
}
