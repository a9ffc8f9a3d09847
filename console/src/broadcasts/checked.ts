import type { BroadcastPreview } from '@majlis/console-api';
import type { Template } from '@majlis/contract';
import type { BroadcastRequest } from './draft.ts';

/** What was checked, and what the service said of it. */
export interface Checked {
  request: BroadcastRequest;
  template: Template;
  preview: BroadcastPreview;
}
