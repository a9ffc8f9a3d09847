import type { Delays, Switches } from '../options.ts';
import type { Script, StatusOrder } from '../scripts.ts';
import type { Dict } from '../world/message.ts';

export type Step = {
  after_ms: number;
  status: 'sent' | 'delivered' | 'read' | 'played' | 'failed';
  code?: number;
  details?: string;
  copies?: number;
  /** Overrides members of the pricing. */
  pricing?: Dict;
};

type StatusContext = {
  delays: Delays;
  held_ms: Switches['held_ms'];
  script: Script | undefined;
  /** The failure of this message, whatever the script. */
  failure: { code: number; details?: string } | undefined;
  /** Reactions only ever report `sent` (section 8). */
  reaction: boolean;
};

/** Plans the statuses with their delays from acceptance. */
export function planStatuses({ delays, held_ms, script, failure, reaction }: StatusContext): Step[] {
  const { sent_ms, delivered_ms, read_ms } = delays;
  if (sent_ms === null && delivered_ms === null && read_ms === null) return [];

  const effect = script?.effect;
  if (effect?.kind === 'connection' && effect.silent) return [];
  const failed_ms = delivered_ms ?? sent_ms ?? read_ms ?? 0;
  const code = failure ?? (effect?.kind === 'fail' ? { code: effect.code } : undefined);
  if (code !== undefined) return [{ after_ms: sent_ms ?? failed_ms, status: 'failed', ...code }];

  const usual: Step[] = [];
  if (sent_ms !== null) usual.push({ after_ms: sent_ms, status: 'sent' });
  if (reaction) return usual;
  if (delivered_ms !== null) usual.push({ after_ms: delivered_ms, status: 'delivered' });
  if (read_ms !== null) usual.push({ after_ms: read_ms, status: 'read' });
  return effect?.kind === 'statuses' ? reorder(effect.order, usual, held_ms) : usual;
}

function reorder(order: StatusOrder, usual: Step[], held_ms: number): Step[] {
  const only = (...kept: Step['status'][]) => usual.filter((step) => kept.includes(step.status));
  const last = usual.at(-1)?.after_ms ?? 0;
  const failed = (after_ms: number, code = 131026): Step => ({ after_ms, status: 'failed', code });

  switch (order) {
    case 'before_response':
      return usual.map((step) => ({ ...step, after_ms: 0 }));
    case 'reordered': {
      const times = usual.map((step) => step.after_ms);
      return usual.toReversed().map((step, index) => ({ ...step, after_ms: times[index]! }));
    }
    case 'duplicated':
      return [
        ...usual.map((step) => ({ ...step, copies: 2 })),
        ...usual.map((step) => ({ ...step, after_ms: step.after_ms + last })),
      ];
    case 'never_read':
      return only('sent', 'delivered');
    case 'delivered_skipped':
      return only('sent', 'read');
    case 'failed_after_sent':
      return [...only('sent'), failed(last)];
    case 'failed_after_delivered':
      return [...only('sent', 'delivered'), failed(last)];
    case 'delivered_after_failed':
      return [...only('sent').map((step) => failed(step.after_ms)), ...only('delivered')];
    case 'held':
      return usual.map((step) => ({ ...step, after_ms: step.after_ms + held_ms }));
    case 'held_then_failed':
      return [failed(held_ms, 132015)];
    case 'sent_only':
      return only('sent');
    case 'none':
      return [];
    case 'played':
      return [...usual, { after_ms: last * 2, status: 'played' }];
    case 'without_callback_data':
      return usual;
    case 'sent_missing':
      return only('delivered', 'read');
  }
}
