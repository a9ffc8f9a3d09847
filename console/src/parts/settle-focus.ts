/**
 * Calls `settle` at each change of the page, until it says that the keyboard has its place. It begins two frames later,
 * because the library moves the focus itself one frame later. The person's next key or press ends it, at any moment.
 */
export function settleFocus(settle: () => boolean): void {
  const done = new AbortController();
  const { signal } = done;
  const attempt = () => settle() && done.abort();
  const observer = new MutationObserver(attempt);
  signal.addEventListener('abort', () => observer.disconnect());
  // On its way down, so that the key which asked for this is past it already.
  const onNext = { capture: true, signal };
  for (const type of ['keydown', 'pointerdown']) window.addEventListener(type, () => done.abort(), onNext);
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      if (signal.aborted) return;
      observer.observe(document.body, { childList: true, subtree: true });
      attempt();
    }),
  );
}
