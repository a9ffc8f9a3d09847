import { isRecord } from '../graph/is-record.ts';
import { templateText } from '../templates/template-text.ts';
import type { ChatMessage, Dict } from '../world/message.ts';

export type Tap = { type: 'button' | 'interactive'; content: Dict };

/**
 * Composes the message of a tap on a template's button (`index`), a reply button or a list row (`id`). Undefined where the
 * message has no such button.
 */
export function tapButton(
  { type, content, template }: ChatMessage,
  { index, id }: { index?: number; id?: string },
): Tap | undefined {
  if (!isRecord(content)) return undefined;
  if (template !== undefined) {
    const button = templateText(template, content).buttons[index ?? -1];
    if (button?.type !== 'QUICK_REPLY') return undefined;
    return { type: 'button', content: { text: button.text, payload: button.value ?? button.text } };
  }
  if (type !== 'interactive' || !isRecord(content.action)) return undefined;
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
