/** Places of one process for calls, shared by the numbers that they are about. */
export interface FreePlaces {
  /** False where the key has as many places as it may have at the moment. */
  take(key: string): boolean;
  give(key: string): void;
  /** The keys that have places, and how many each may have, while that is fewer than `each`. */
  narrowed(): Iterable<[key: string, places: number]>;
}

// What hangs has some calls all the same: they show whether it answers again.
const least = 2;
// Of n numbers that hang each comes to hold one part in n + 4 of the places, and four parts stay for the others.
const share = 4;

/**
 * A key may have a quarter of the places that are free, and `each` at most: the dynamic threshold by which network switches
 * share their buffers. Nobody has to find out which numbers hang, and after how long; they shrink each other's bound and
 * never take all (hazard H116).
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
    *narrowed() {
      const places = most();
      if (places < each) for (const key of taken.keys()) yield [key, places];
    },
  };
}
