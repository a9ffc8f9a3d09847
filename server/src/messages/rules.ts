import type { MessageStatus } from '@majlis/contract';
import { Refusal } from '../http/reply/refusal.ts';

/** The state of a conversation and its contact that decides whether the business may write. */
export interface SendState {
  blocked: boolean | null;
  status: string | null;
  controller: string | null;
  /** The bot in control, while one is: a run of a workflow, or else this agent. */
  workflow_run_id?: string | null;
  ai_agent_id?: string | null;
  window_expires_at: Date | null;
}

/** The very bot that sends: a run of a workflow, or an AI agent. */
export interface SendingBot {
  kind: 'workflow_run' | 'ai_agent';
  id: string;
  /** Where people are in control, it sends all the same: it takes control with this, or leaves it to them. */
  needs_control: boolean;
}

export interface SendIntent {
  kind: string;
  /** Undefined for a user, a broadcast and the service itself. */
  bot?: SendingBot | undefined;
  /** POST /v1/messages reopens a closed conversation: the contract names it as the remedy. */
  reopens: boolean;
}

/** The one gate of every path that sends, in the contract's order of refusals; undefined where nothing stands against it. */
export function refuseSend(state: SendState, intent: SendIntent, now: Date): Refusal | undefined {
  if (state.blocked) return new Refusal('contact_blocked');
  if (state.status === 'closed' && !intent.reopens) return new Refusal('conversation_closed');
  const uncontrolled = refuseControl(state, intent.bot);
  if (uncontrolled) return uncontrolled;
  if (intent.kind !== 'template' && !isWindowOpen(state.window_expires_at, now)) return new Refusal('window_closed');
  return undefined;
}

/** While a bot controls, exactly this one may write; once it does not, a late message of it is refused. */
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

/** Half open: at the very moment of expiry the window is closed. */
export function isWindowOpen(expiresAt: Date | null, now: Date): boolean {
  return expiresAt !== null && now.getTime() < expiresAt.getTime();
}

const ranks = { queued: 0, sent: 1, delivered: 2, read: 3 };

/** Where a message stands, as far as the next status depends on it. */
export interface Standing {
  status: MessageStatus;
  /** Failed only because nobody knew the outcome: any word of the platform knows better. */
  outcome_unknown: boolean;
}

/**
 * Whether a reported status moves a message on. Statuses never go backwards and skipped ones are not invented. `failed`
 * does not undo a delivery; a delivery that is reported after `failed` is the better-known fact and lifts it.
 */
export function advances(current: Standing, reported: MessageStatus): boolean {
  if (current.status === 'failed' && current.outcome_unknown) return true;
  if (reported === 'failed') return current.status === 'queued' || current.status === 'sent';
  if (current.status === 'failed') return reported === 'delivered' || reported === 'read';
  return ranks[reported] > ranks[current.status];
}

/** Where a message of the marketing category is refused: it needs the contact's word that they want such messages. */
export const optInMissing = 'A marketing template needs the opt-in of the contact, consents.chatapp_marketing.';

/** What speaks against a call to the platform at the moment of the call. */
export interface DispatchState {
  blocked: boolean;
  /** The broadcast that it is of was stopped. */
  is_cancelled: boolean;
  /** Of the template that is to be sent, as the platform last reported it; none where it was deleted. */
  template_status: string | null;
  /** By its template's category, and that at acceptance where the template was deleted. */
  is_marketing: boolean;
  marketing_opt_in: boolean | null;
  channel_fault: string | null;
  kind: string;
  quoted_platform_id: string | null;
}

export const cancelledReason = 'The broadcast was cancelled before the message was sent.';

/**
 * Why an accepted message is not sent after all: `failed` with this reason. A closed conversation or window is no
 * reason, nor that the template was deleted meanwhile: what was accepted is sent, and the platform has the last word. An opt-in
 * that was withdrawn is: the customer said no before anything was sent (hazard H72).
 */
export function refuseDispatch(state: DispatchState): string | undefined {
  if (state.blocked) return 'The contact was blocked before the message was sent.';
  if (state.is_cancelled) return cancelledReason;
  if (state.is_marketing && !state.marketing_opt_in) return `unprocessable_content: ${optInMissing}`;
  if (state.template_status !== null && state.template_status !== 'approved') {
    return `The template is no longer approved: it is ${state.template_status}.`;
  }
  if (state.kind === 'reaction' && !state.quoted_platform_id) {
    return 'The message that the reaction is for never reached the customer.';
  }
  return state.channel_fault ?? undefined;
}
