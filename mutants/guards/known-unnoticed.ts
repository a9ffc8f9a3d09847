/** Faults of guards that no test notices, each with its reason. `fault` is a part of its name. */
export const knownUnnoticed: readonly { fault: string; reason: string }[] = [];
