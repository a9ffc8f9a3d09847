import type { SendGate } from '@majlis/console-api';

/** When a message is sent, and the words for it by the clocks of the workspace. */
export interface LaterMoment {
  at: number;
  shown: string;
}

export interface LaterProps {
  workspace_id: string;
  gate: SendGate | undefined;
  /** A template goes out whatever the window is. */
  isTemplate?: boolean;
  onChoose: (moment: LaterMoment) => void;
}
