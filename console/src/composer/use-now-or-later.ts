import type { ConversationMessageSend } from '@majlis/contract';
import type { LaterMoment } from './later/later-props.ts';
import type { PanelProps } from './panel-props.ts';

/** What a panel has composed. */
export interface Composed {
  content: ConversationMessageSend;
  /** What its bubble reads. */
  shown: string;
  /** Opens the panel again, with what was in it. */
  giveBack: () => void;
}

/** Sends what a panel has composed, now or at its time, and closes the panel. */
export function useNowOrLater({
  writing,
  isSendable,
  onClose,
}: Pick<PanelProps, 'writing' | 'isSendable' | 'onClose'>) {
  return ({ content, shown, giveBack }: Composed, moment: LaterMoment | undefined): void => {
    if (!moment && !isSendable) return;
    if (moment) void writing.scheduleContent(content, moment, giveBack);
    else writing.sendContent(content, shown, giveBack);
    onClose?.();
  };
}
