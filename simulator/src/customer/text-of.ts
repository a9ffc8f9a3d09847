import { isRecord } from '../graph/is-record.ts';
import { templateText } from '../templates/template-text.ts';
import type { ChatMessage } from '../world/message.ts';

/** The text of the business that the customer reads. */
export function textOf({ template, content }: ChatMessage): string {
  if (!isRecord(content)) return '';
  if (template) return templateText(template, content).body;
  const body = isRecord(content.body) ? content.body.text : (content.body ?? content.caption);
  return typeof body === 'string' ? body : '';
}
