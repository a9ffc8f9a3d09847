import { readTrigger } from '../definition/read-trigger.ts';
import type { VariableScope } from '../run/expand.ts';
import type { LockedRun } from '../run/lock-run.ts';
import { passTime, receivePretended } from './pretend.ts';

/** The event that a dry run presumes. Each trigger reads the members that concern it. */
export interface PretendedTrigger {
  /** What the customer, or for `no_reply` either side, has written. */
  message?: string;
  variables?: Record<string, unknown>;
  tag?: string;
  stage?: string;
  previous_stage?: string;
  of?: 'contact' | 'conversation';
  started_by?: 'customer' | 'business';
}

/** The variables `trigger.…` of a dry run. A message of the customer is received first, as a real one is. */
export async function pretendTrigger(locked: LockedRun, given: PretendedTrigger): Promise<VariableScope> {
  const { program } = locked;
  const { trigger: type } = program;
  const { message = '', variables = {}, tag = '', stage = null, previous_stage = null } = given;
  const { of = 'contact', started_by = 'customer' } = given;
  switch (type) {
    case 'message_received':
      return receive(locked, type, message);
    case 'no_reply': {
      if (program.waits_for !== 'business') return { type, message: { kind: 'text', body: message, is_first: false } };
      const scope = await receive(locked, type, message);
      await passTime(locked, program.after_seconds!);
      return scope;
    }
    case 'conversation_created':
      if (started_by === 'customer') await receivePretended(locked, message || 'Hello');
      return { type, started_by };
    case 'api_call':
      return { type, variables };
    case 'contact_tagged':
      return { type, tag };
    case 'stage_changed':
      return { type, of, stage, previous_stage };
  }
}

async function receive(locked: LockedRun, type: string, text: string): Promise<VariableScope> {
  const message_id = await receivePretended(locked, text);
  const { workspace_id, workflow_id, contact_id, conversation_id } = locked.run;
  const event = { workspace_id, workflow_id, contact_id, conversation_id, message_id };
  return readTrigger(locked.tx, type, { ...event, detail: null, depth: 0, root_run_id: null });
}
