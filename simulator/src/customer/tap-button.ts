import { isRecord } from '../graph/is-record.ts';
import { templateText } from '../templates/template-text.ts';
import type { ChatMessage, Dict } from '../world/message.ts';

export type Tap = { type: 'button' | 'interactive' | 'location' | 'contacts'; content: Dict | Dict[] };

/** Where the simulated customers are. */
const place = { latitude: 23.588, longitude: 58.3829 };

/**
 * Composes the message of a tap on a template's button (`index`), a reply button or a list row (`id`), the button of a flow or
 * of a request for the location or the number, which the customer called `name` gives. Undefined where the message has no such button.
 */
export function tapButton(
  { type, content, template, wa_id }: ChatMessage,
  { index, id, name = '' }: { index?: number; id?: string; name?: string },
): Tap | undefined {
  if (!isRecord(content)) return undefined;
  if (template !== undefined) {
    const button = templateText(template, content).buttons[index ?? -1];
    if (button?.type !== 'QUICK_REPLY') return undefined;
    return { type: 'button', content: { text: button.text, payload: button.value ?? button.text } };
  }
  if (type !== 'interactive' || !isRecord(content.action)) return undefined;
  if (content.type === 'location_request_message') return { type: 'location', content: place };
  if (content.type === 'request_contact_info') return { type: 'contacts', content: [ownCard(name, wa_id)] };
  if (content.type === 'flow') return completeFlow(content.action);
  const { buttons = [], sections = [] } = content.action as { buttons?: Dict[]; sections?: { rows: Dict[] }[] };
  const button = buttons.map((one) => one.reply as Dict).find((reply, place) => reply.id === id || place === index);
  if (button !== undefined) {
    return {
      type: 'interactive',
      content: { type: 'button_reply', button_reply: { id: button.id, title: button.title } },
    };
  }
  const row = sections.flatMap((section) => section.rows).find((one, place) => one.id === id || place === index);
  return row && { type: 'interactive', content: { type: 'list_reply', list_reply: row } };
}

/** The card of a customer who shares it because they were asked. */
function ownCard(name: string, wa_id: string): Dict {
  const shown = name || `+${wa_id}`;
  return {
    origin: 'contact_request',
    name: { formatted_name: shown, first_name: shown },
    phones: [{ phone: `+${wa_id}`, wa_id, type: 'MOBILE' }],
  };
}

/** The customer fills in the flow: the answer carries its token alone. */
function completeFlow({ parameters }: Dict): Tap {
  const { flow_token = 'unused' } = parameters as Dict;
  const nfm_reply = { name: 'flow', body: 'Sent', response_json: JSON.stringify({ flow_token }) };
  return { type: 'interactive', content: { type: 'nfm_reply', nfm_reply } };
}
