import { existsSync, globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { basename } from 'node:path';
import type { Fault } from './fault.ts';

/** The faults of each module: a file of `list/` exports its own as `faults`. */
export async function readList(only: string | undefined): Promise<Map<string, Fault[]>> {
  const files = globSync(`${import.meta.dirname}/list/*.ts`).sort();
  const modules = new Map<string, Fault[]>();
  for (const file of files) {
    const name = basename(file, '.ts');
    if (only === undefined || only === name) modules.set(name, (await import(file)).faults);
  }
  return modules;
}

/** Why a fault cannot be planted; undefined where it can. */
export function findEntryFault(fault: Fault): string | undefined {
  const { file, find, replace, tests } = fault;
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const occurrences = text.split(find).length - 1;
  if (occurrences !== 1) return `occurs ${occurrences} times`;
  if (find === replace) return 'changes nothing';
  const missing = tests.filter((test) => !existsSync(test));
  if (missing.length > 0 || tests.length === 0) return `has no test ${missing.join()}`;
  try {
    if (file.endsWith('.ts')) stripTypeScriptTypes(plant(text, fault));
  } catch (error) {
    return `makes no program: ${(error as Error).message}`;
  }
  return undefined;
}

/** A replacement is no pattern, whatever `$` it has. */
export function plant(text: string, { find, replace }: Fault): string {
  return text.replace(find, () => replace);
}
