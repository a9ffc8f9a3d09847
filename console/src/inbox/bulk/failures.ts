import { createStore } from '../../live/create-store.ts';

/** One refusal: on which conversation, and why. */
export interface BulkFailure {
  id: string;
  name: string;
  sentence: string;
}

/** What the last action could not do. A dialog shows it until it is closed. */
export const failuresStore = createStore<readonly BulkFailure[]>([]);
