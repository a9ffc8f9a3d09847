/** The names in the storage of the tab behind which sends are kept for a reload. */
export const keptPrefix = 'majlis-send-';

export function keptNames(): string[] {
  try {
    return Object.keys(sessionStorage).filter((name) => name.startsWith(keptPrefix));
  } catch {
    // A browser may refuse its storage. Then nothing is there.
    return [];
  }
}
