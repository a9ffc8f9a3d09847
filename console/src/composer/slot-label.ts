import { isolated } from '../words/isolated.ts';
import { t } from '../words/words.ts';
import type { Slot } from './template-slots.ts';

/** The label of the field of a value. */
export function slotLabel({ part, number, name, button }: Slot): string {
  if (name) return t('composer.template_named_value', { name: isolated(name) });
  if (part === 'header') return t('composer.template_header_value');
  if (part === 'button') return t('composer.template_button_value', { name: isolated(button ?? '') });
  return t('composer.template_value', { number });
}
