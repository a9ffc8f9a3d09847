import type { Send } from '../messages/accept/send-messages.ts';
import type { NewRecipient } from './queries.ts';

interface SendOfBroadcast {
  workspace_id: string;
  broadcast_id: string;
  channel_id: string;
}

/** The message of a broadcast to one recipient. */
export function toSend(
  { workspace_id, broadcast_id, channel_id }: SendOfBroadcast,
  template: { template_name: string; template_language: string },
  { identifier, params }: NewRecipient,
): Send {
  const { template_name, template_language } = template;
  return {
    names: { workspace_id, channel_id, identifier, wa_id: identifier.slice(1), template_name, template_language },
    content: { kind: 'template', template: { name: template_name, language: template_language, params } },
    reopens: true,
    actor: { kind: 'broadcast', id: broadcast_id },
    broadcast_id,
  };
}
