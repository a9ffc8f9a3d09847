/**
 * Calls `settle` at each change of the page, until it says that the keyboard has its place. The person's next key or
 * press ends it as well. It begins two frames later, because the library moves the focus itself one frame later.
 */
export function settleFocus(settle: () => boolean): void {
  const done = new AbortController();
  const { signal } = done;
  const attempt = () => settle() && done.abort();
  const observer = new MutationObserver(attempt);
  signal.addEventListener('abort', () => observer.disconnect());
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      observer.observe(document.body, { childList: true, subtree: true });
      for (const type of ['keydown', 'pointerdown']) document.addEventListener(type, () => done.abort(), { signal });
      attempt();
    }),
  );
}
