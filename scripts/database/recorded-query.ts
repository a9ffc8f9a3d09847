import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getCallSites } from 'node:util';
import { statement as prepare } from '../../server/src/database/query.ts';

export * from '../../server/src/database/query.ts';

/** The texts that `statement()` got, by the place of its call: `server/src/ai/queries.ts:14`. */
export const recordedTexts = new Map<string, string[]>();

/** Stands in for the `statement()` of the server. Node blanks types out, so the lines are those of the file. */
export function statement<Row>(text: string): ReturnType<typeof prepare<Row>> {
  const { scriptName, lineNumber } = getCallSites(2)[1]!;
  const place = `${relative('.', fileURLToPath(scriptName))}:${lineNumber}`;
  recordedTexts.set(place, [...(recordedTexts.get(place) ?? []), text]);
  return prepare<Row>(text);
}
