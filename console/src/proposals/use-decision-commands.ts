import { type RefObject, useMemo } from 'react';
import { type Command, useCommands } from '../app/commands.ts';
import { t } from '../words/words.ts';

export type DecisionAct = 'accept' | 'edit' | 'refuse';

export const waitingCards = (place: Element | null) => [
  ...(place?.querySelectorAll<HTMLElement>('[data-waiting]') ?? []),
];

/** By the keyboard, the card with the focus is decided; without one, the first gets the focus. */
export function useDecisionCommands(place: RefObject<HTMLElement | null>, acts: readonly DecisionAct[]): void {
  const commands = useMemo(() => {
    function act(name: DecisionAct): void {
      const focused = document.activeElement?.closest('[data-waiting]');
      if (focused) focused.querySelector<HTMLElement>(`[data-act="${name}"]`)?.click();
      else waitingCards(place.current)[0]?.focus();
    }
    return acts.map(
      (name): Command => ({
        id: `proposals.${name}`,
        label: t(`proposals.${name}_first`),
        run: () => act(name),
      }),
    );
  }, [place, acts]);
  useCommands(commands);
}
