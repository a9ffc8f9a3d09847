import type { WordId } from '../words/word-id.ts';
import { t } from '../words/words.ts';
import type { Command } from './commands.ts';
import type { defaultKeys } from './default-keys.ts';

const names: Record<keyof typeof defaultKeys, WordId> = {
  'list.search': 'inbox.search',
  'list.next': 'inbox.next',
  'list.previous': 'inbox.previous',
  'list.open': 'inbox.open',
  'list.select': 'bulk.toggle',
  'list.unread': 'inbox.mark_unread',
  'conversation.close': 'panel.close',
  'conversation.reopen': 'panel.reopen',
  'conversation.assign': 'panel.assign',
  'conversation.assign_to_me': 'panel.assign_to_me',
  'conversation.snooze': 'panel.snooze',
  'conversation.stage': 'panel.stage',
  'conversation.take_over': 'panel.take_over',
  'conversation.hand_over': 'panel.hand_over',
  'conversation.panel': 'panel.toggle',
  'composer.reply': 'composer.command_reply',
  'composer.note': 'composer.command_note',
  'composer.templates': 'composer.command_template',
  'composer.later': 'scheduled.later',
  'proposals.accept': 'proposals.accept_first',
  'proposals.edit': 'proposals.edit_first',
  'proposals.refuse': 'proposals.refuse_first',
  'app.undo': 'app.undo',
  'app.palette': 'palette.open',
  'app.shortcuts': 'palette.shortcuts',
};

/** The name of a command, which another page may have. */
export function commandName(id: string, shown: readonly Command[]): string {
  const label = shown.find((command) => command.id === id)?.label;
  if (label !== undefined) return label;
  return id in names ? t(names[id as keyof typeof names]) : t('keys.elsewhere');
}
