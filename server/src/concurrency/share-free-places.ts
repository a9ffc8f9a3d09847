/** The places of a process for calls, shared by keys such as phone numbers. */
export interface FreePlaces {
  /** False if the key already has as many places as it may have now. */
  take(key: string): boolean;
  give(key: string): void;
  /** How many more places each key that holds some may take now, and any other key. */
  left(): { left: Record<string, number>; each: number };
  /** The keys that hold places and the bound of each, while it is below `each`. */
  narrowed(): Iterable<[key: string, places: number]>;
}

// A hanging number keeps two calls, which show whether it answers again.
const least = 2;
// Each of n hanging numbers ends with 1 / (n + 4) of the places, so 4 / (n + 4) stay free for the others.
const share = 4;

/**
 * Gives a key up to a quarter of the free places, and at most `each`. Network switches share their buffers by this dynamic
 * threshold. Hanging numbers shrink each other's bound and never take all places, and nothing has to detect them (hazard H116).
 */
export function shareFreePlaces({ places, each }: { places: number; each: number }): FreePlaces {
  const taken = new Map<string, number>();
  let free = places;
  const most = () => Math.min(each, Math.max(least, Math.floor(free / share)));

  return {
    take(key) {
      const own = taken.get(key) ?? 0;
      if (own >= most()) return false;
      taken.set(key, own + 1);
      free--;
      return true;
    },
    give(key) {
      const left = taken.get(key)! - 1;
      if (left === 0) taken.delete(key);
      else taken.set(key, left);
      free++;
    },
    left() {
      const bound = most();
      const left = Object.fromEntries([...taken].map(([key, own]) => [key, Math.max(0, bound - own)]));
      return { left, each: bound };
    },
    *narrowed() {
      const places = most();
      if (places < each) for (const key of taken.keys()) yield [key, places];
    },
  };
}
