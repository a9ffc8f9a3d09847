import type { Screen } from './gather-rows.ts';

/** A page that nobody sees is not drawn. */
const hiddenMs = 1_000;

export const browserScreen: Screen = {
  now: () => performance.now(),
  afterDrawing(act) {
    const frame = requestAnimationFrame(() => {
      clearTimeout(hidden);
      // A frame is drawn behind its callbacks.
      setTimeout(act);
    });
    const hidden = setTimeout(() => {
      cancelAnimationFrame(frame);
      act();
    }, hiddenMs);
  },
};
