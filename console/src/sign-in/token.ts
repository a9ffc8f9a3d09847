let taken: string | undefined;

/** The token of a link, from the fragment. It leaves the address bar and the history at once. */
export function takeToken(): string {
  taken ??= location.hash.slice(1);
  if (location.hash !== '') history.replaceState(null, '', location.pathname);
  return taken;
}
