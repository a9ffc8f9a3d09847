import { type ReactNode, useEffect } from 'react';
import { createStore } from '../live/create-store.ts';

/** A key by its place on the keyboard (`event.code`), so that an Arabic layout has the same shortcuts. */
export interface Shortcut {
  code: string;
  /** Control, or Command on a Mac. Without it the shortcut is a single key, which a person may turn off. */
  mod?: boolean;
  shift?: boolean;
  /** The key that is pressed before, as G in "G then M". */
  after?: string;
}

/** An action of the page that is open: in the palette, and by its shortcut. */
export interface Command {
  /** `conversation.close` */
  id: string;
  label: string;
  icon?: ReactNode;
  shortcut?: Shortcut;
  /** Not in the palette: a movement, which has no use there. */
  isKeyOnly?: boolean;
  run(): void;
}

export const commandStore = createStore<readonly Command[]>([]);

/** Offers the commands while the component is shown. */
export function useCommands(commands: readonly Command[]): void {
  useEffect(() => {
    commandStore.set([...commandStore.get(), ...commands]);
    return () => commandStore.set(commandStore.get().filter((command) => !commands.includes(command)));
  }, [commands]);
}
