import type { SendGate } from '@majlis/console-api';
import type { Conversation } from '@majlis/contract';
import type { Membership } from '../live/membership.ts';
import type { Writing } from './use-writing.ts';

export interface PanelProps {
  membership: Membership;
  conversation: Conversation;
  gate: SendGate | undefined;
  /** Whether the gate lets a message without a template through. */
  isSendable: boolean;
  writing: Writing;
  /** Absent: the panel stays open. */
  onClose?: (() => void) | undefined;
  /** Puts a text into the reply or the note, and goes there. */
  onInsert: (mode: 'reply' | 'note', text: string) => void;
}
