import { type RefObject, useMemo } from 'react';
import { type Command, useCommands } from '../app/commands.ts';
import { t } from '../words/words.ts';

export type DecisionAct = 'accept' | 'edit' | 'refuse';

export const waitingCards = (place: Element | null) => [
  ...(place?.querySelectorAll<HTMLElement>('[data-waiting]') ?? []),
];

/** The person goes on with the next one that waits, unless they went elsewhere before the answer. */
export function focusAfter(place: Element | null, id: string, otherwise?: HTMLElement | null): void {
  const decided = place?.querySelector<HTMLElement>(`[data-proposal="${id}"]`);
  const { activeElement } = document;
  // The button with the focus may be gone already.
  if (activeElement !== document.body && !decided?.contains(activeElement)) return;
  const others = waitingCards(place).filter((card) => card !== decided);
  const next = others.find(
    (card) => decided && decided.compareDocumentPosition(card) & Node.DOCUMENT_POSITION_FOLLOWING,
  );
  (next ?? others.at(-1) ?? otherwise ?? decided)?.focus();
}

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
