import { type CannedReplyVariable, cannedReplyVariables } from '@majlis/console-api';
import type { ErrorDetail } from '@majlis/contract';
import { foldText } from '../database/fold-text.ts';

// A word that people type after a slash.
const shortName = /^[\p{L}\p{M}\p{N}_-]{1,32}$/u;
const variable = /\{\{([^{}]*)\}\}/g;

/** The name without the slash that people may write before it. */
export function readShortName(name: string): string {
  return name.trim().replace(/^\//, '');
}

/** Faults of the members that are given. */
export function findCannedReplyFaults(
  { name, body, language }: { name: string; body: string; language: string | null },
  most: number,
): ErrorDetail[] {
  const faults: ErrorDetail[] = [];
  if (!shortName.test(name) || foldText(name) === '') {
    faults.push({ detail: 'must be 1 to 32 letters, digits, - or _, such as /hello', pointer: '/name' });
  }
  if (body.trim() === '') faults.push({ detail: 'must not be empty', pointer: '/body' });
  if (body.length > most) faults.push({ detail: `must not have more than ${most} characters`, pointer: '/body' });
  if (language !== null && !isLanguage(language)) {
    faults.push({ detail: 'must be a language tag such as ar or en-GB', pointer: '/language' });
  }
  return faults.concat(findVariableFaults(body));
}

function findVariableFaults(body: string): ErrorDetail[] {
  const known = cannedReplyVariables.map((name) => `{{${name}}}`).join(', ');
  const unknown = [...body.matchAll(variable)].map(([, name]) => name!.trim()).filter((name) => !isVariable(name));
  const faults = [...new Set(unknown)].map((name) => `has the unknown variable {{${name}}}: use one of ${known}`);
  const rest = body.replaceAll(variable, '');
  if (rest.includes('{{') || rest.includes('}}')) {
    faults.push(`has a variable without both pairs of braces: write one as ${known}`);
  }
  return faults.map((detail) => ({ detail, pointer: '/body' }));
}

function isVariable(name: string): name is CannedReplyVariable {
  return (cannedReplyVariables as readonly string[]).includes(name);
}

function isLanguage(tag: string): boolean {
  try {
    return tag.length <= 35 && Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
