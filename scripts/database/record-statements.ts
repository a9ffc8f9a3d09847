import { registerHooks } from 'node:module';
import { resolve } from 'node:path';

const query = new URL('../../server/src/database/query.ts', import.meta.url).href;
const recorderUrl = new URL('./recorded-query.ts', import.meta.url).href;

/** Loads these modules. A text that is put together at load time is recorded as it will run. */
export async function recordStatements(files: Iterable<string>): Promise<Map<string, string[]>> {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context);
      return resolved.url === query && context.parentURL !== recorderUrl ? { ...resolved, url: recorderUrl } : resolved;
    },
  });
  const { recordedTexts: recorded } = await import('./recorded-query.ts');
  for (const file of files) await import(resolve(file));
  return recorded;
}
