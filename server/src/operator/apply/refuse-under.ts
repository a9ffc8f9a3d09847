import { invalid, Refusal } from '../../http/reply/refusal.ts';

/** Performs a use case whose refusals name members of one entry, and names their places in the file. */
export async function refuseUnder<Result>(pointer: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Refusal) || error.extra.errors === undefined) throw error;
    throw invalid(error.extra.errors.map((fault) => ({ ...fault, pointer: `${pointer}${fault.pointer ?? ''}` })));
  }
}
