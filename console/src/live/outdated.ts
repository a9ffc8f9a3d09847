import { createStore } from './create-store.ts';

/** Whether the service serves another console than the one this page came from (danger C10). */
export const isOutdatedStore = createStore(false);

/** Whether a part of the page could not be loaded, as the script of an older version that is gone. */
export const isPartMissingStore = createStore(false);

const build = document.querySelector<HTMLMetaElement>('meta[name=majlis-build]')?.content ?? '';

/** Compares the page with the console that the service serves by now. */
export function compareVersion(version: string): void {
  const served = version.split('+')[1];
  // The server of the developers builds nothing.
  if (served !== undefined && /^[0-9a-f]+$/.test(build) && served !== build) isOutdatedStore.set(true);
}
