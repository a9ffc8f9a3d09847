interface Seeded {
  name: string;
  /** The name that the file gave, where a person gave another one. */
  file_name: string | null;
  removed_at: Date | null;
}

/** The entry that a name of the file means: the one that the file made, also under a person's name, and first one that exists. */
export function findSeeded<Entry extends Seeded>(entries: readonly Entry[], name: string): Entry | undefined {
  const made = entries.filter((entry) => (entry.file_name ?? entry.name) === name);
  return (
    made.find(({ removed_at }) => !removed_at) ??
    entries.find((entry) => entry.name === name && !entry.removed_at) ??
    made[0]
  );
}
