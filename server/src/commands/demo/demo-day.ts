import type { OperatorDoor } from '../ask-operator.ts';
import type { PlatformClock } from '../follow-clock.ts';
import type { AppliedDemo } from '../open-demo.ts';

export interface DemoDay {
  door: OperatorDoor;
  simulator: { url: string; control_token: string };
  clock: PlatformClock;
  /** What the workspace file names, with ids. */
  applied: AppliedDemo;
}
