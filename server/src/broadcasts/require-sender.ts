import type { BroadcastCreate } from '@majlis/contract';
import { parseId } from '../database/ids.ts';
import type { Transaction } from '../database/transaction.ts';
import { invalid, Refusal, unknownReference } from '../http/reply/refusal.ts';
import { findTargets } from '../messages/accept/find-targets.ts';
import type { Clock } from '../process/clock.ts';
import type { FillableTemplate } from '../templates/apply-params.ts';

/** The number that sends, and the approved template that it sends. */
export interface Sender extends FillableTemplate {
  channel_id: string;
  channel_type: string;
  category: string | null;
}

/** Refuses names of a channel or template that name none. */
export async function requireSender(
  tx: Transaction,
  clock: Clock,
  workspace_id: string,
  { channel_id, template }: { channel_id?: string | undefined; template: BroadcastCreate['template'] },
): Promise<Sender> {
  const channel = channel_id === undefined ? undefined : parseId('channel', channel_id);
  if (channel_id !== undefined && !channel) throw invalid(unknownReference('names no channel', '/channel_id'));
  const [target] = await findTargets(tx, clock, [
    { workspace_id, channel_id: channel, template_name: template.name, template_language: template.language },
  ]);
  if (!target!.channel_id) {
    if (channel) throw invalid(unknownReference('names no channel', '/channel_id'));
    throw invalid({ detail: 'is required unless the workspace has exactly one channel', pointer: '/channel_id' });
  }
  if (target!.is_disconnected) throw invalid({ detail: 'names a disconnected channel', pointer: '/channel_id' });
  if (!target!.template_components) throw new Refusal('template_not_found');
  return {
    channel_id: target!.channel_id,
    channel_type: target!.channel_type!,
    category: target!.template_category,
    components: target!.template_components,
    parameter_format: target!.template_parameter_format,
  };
}
