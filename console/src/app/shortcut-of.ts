import type { OwnKeys } from '@majlis/console-api';
import { defaultKeys } from './default-keys.ts';
import type { Shortcut } from './shortcut.ts';

/** A command, as far as its keys go. */
export interface Keyed {
  id: string;
  shortcut?: Shortcut | undefined;
}

/** The keys that the command comes with. */
export function defaultOf({ id, shortcut }: Keyed): Shortcut | undefined {
  return shortcut ?? (defaultKeys as Record<string, Shortcut>)[id];
}

/** The keys of the command: the person's own come first. */
export function shortcutOf(command: Keyed, own: OwnKeys): Shortcut | undefined {
  return own[command.id] ?? defaultOf(command);
}
