import { type ReactNode, useLayoutEffect } from 'react';
import { createStore } from '../live/create-store.ts';
import type { Shortcut } from './shortcut.ts';

/** An action of the page that is open: in the palette, and by its shortcut. */
export interface Command {
  /** `conversation.close` */
  id: string;
  label: string;
  icon?: ReactNode;
  /** The keys that it comes with, where `default-keys.ts` has none for it. */
  shortcut?: Shortcut | undefined;
  /** Not in the palette: a movement, which has no use there. */
  isKeyOnly?: boolean;
  run(): void;
}

export const commandStore = createStore<readonly Command[]>([]);

/** Offers the commands while the component is shown: from its first picture on, so that no key is lost. */
export function useCommands(commands: readonly Command[]): void {
  useLayoutEffect(() => {
    commandStore.set([...commandStore.get(), ...commands]);
    return () => commandStore.set(commandStore.get().filter((command) => !commands.includes(command)));
  }, [commands]);
}
