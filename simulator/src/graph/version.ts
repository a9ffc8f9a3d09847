import type { World } from '../world/world.ts';

/** The major version of a call's path; the app's default without a version segment (section 0). */
export function apiMajor(url: string, world: World): number {
  return Number(/^\/v(\d+)\./.exec(url)?.[1] ?? world.version.match(/\d+/)?.[0]);
}
