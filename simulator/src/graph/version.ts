import type { World } from '../world/world.ts';

/** The major version that a call names; without a version segment the app's default holds (section 0). */
export function apiMajor(url: string, world: World): number {
  return Number(/^\/v(\d+)\./.exec(url)?.[1] ?? world.version.match(/\d+/)?.[0]);
}
