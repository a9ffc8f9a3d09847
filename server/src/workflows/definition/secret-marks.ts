import type { ErrorDetail } from '@majlis/contract';
import type { SecretBox } from '../../secrets/encrypt.ts';
import { mapHeaders, openHeader, sealedPart } from './seal-headers.ts';

type Definition = Record<string, unknown>;

// People see a mark in the place of each sealed part of a header: its version and its place in it.
const mark = /\[secret (\d{1,9})\.(\d{1,9})\]/g;

/** The stored definition as people see it, without its secrets. */
export function markSecrets(definition: Definition, version: number): Definition {
  let place = 0;
  return mapHeaders(definition, (text) =>
    text.replaceAll(sealedPart, () => {
      place += 1;
      return `[secret ${version}.${place}]`;
    }),
  );
}

interface Secret {
  sealed: string;
  origin: string;
}

// More help nobody, and each has a sentence.
const mostFaults = 100;
// Each is read whole. A definition names those of the version that it came from, and of what was pasted into it.
const mostVersions = 20;

/** The versions whose secrets a definition names. Those of further ones count as unknown. */
export function listMarkedVersions(definition: Definition): number[] {
  const versions = new Set<number>();
  mapHeaders(definition, (text) => {
    for (const [, version] of text.matchAll(mark)) versions.add(Number(version));
    return text;
  });
  return [...versions].slice(0, mostVersions);
}

/**
 * Puts the secrets in the place of their marks. A secret goes to the host for which it was entered alone: otherwise whoever
 * may edit a workflow could send it to a host of their own. Call it for a definition without faults.
 */
export function openMarks(
  definition: Definition,
  /** The stored definitions by their version. */
  stored: ReadonlyMap<number, Definition>,
  { box, workspace_id }: { box: SecretBox; workspace_id: string },
): { definition: Definition; faults: ErrorDetail[] } {
  const secrets = new Map([...stored].map(([version, one]) => [version, listSecrets(one)]));
  const faults: ErrorDetail[] = [];
  const fault = (text: string, problem: string) => {
    if (faults.length < mostFaults)
      faults.push({ detail: `the header ${text} ${problem}: enter its value again`, pointer: '/steps' });
    return text;
  };
  const opened = mapHeaders(definition, (header, url) =>
    header.replaceAll(mark, (text, version: string, place: string) => {
      const secret = secrets.get(Number(version))?.[Number(place) - 1];
      if (!secret) return fault(text, 'names no secret of this workflow');
      if (secret.origin !== originOf(url)) return fault(text, 'was entered for another host');
      try {
        return openHeader(secret.sealed, box, workspace_id);
      } catch {
        return fault(text, 'cannot be read any more');
      }
    }),
  );
  return { definition: opened, faults: placeFaults(definition, faults) };
}

function listSecrets(definition: Definition): Secret[] {
  const found: Secret[] = [];
  mapHeaders(definition, (text, url) => {
    for (const [sealed] of text.matchAll(sealedPart)) found.push({ sealed, origin: originOf(url) });
    return text;
  });
  return found;
}

/** The host is fixed: a variable stands behind it at the earliest. */
function originOf(url: string): string {
  return /^https?:\/\/[^/?#]+/i.exec(url)?.[0].toLowerCase() ?? url;
}

/** Each fault at the first header that has its mark. */
function placeFaults(definition: Definition, faults: readonly ErrorDetail[]): ErrorDetail[] {
  const pointers = new Map<string, string>();
  if (faults.length > 0) findPointers(definition, '', pointers);
  return faults.map(({ detail }) => {
    const text = /\[secret [\d.]+\]/.exec(detail)![0];
    return { detail, pointer: pointers.get(text) ?? '/steps' };
  });
}

/** In one pass: a definition may have thousands of marks. */
function findPointers(value: unknown, pointer: string, found: Map<string, string>): void {
  if (typeof value === 'string') {
    for (const [text] of value.matchAll(mark)) if (!found.has(text)) found.set(text, pointer);
  }
  if (value === null || typeof value !== 'object') return;
  for (const [name, member] of Object.entries(value)) {
    findPointers(member, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, found);
  }
}
