import type { Operation } from '@majlis/contract';

/**
 * The operations of a path; none for an unknown path. A literal path of the contract is never an id in another path:
 * `/v1/contacts/import` names no contact.
 */
export function operationsAt(operations: readonly Operation[], url: string): Operation[] {
  const path = pathOf(url);
  const literal = operations.filter((operation) => operation.path === path);
  return literal.length > 0 ? literal : operations.filter((operation) => patternOf(operation).test(path));
}

/** For the Allow header of a 405. */
export function allowedMethods(operations: readonly Operation[]): string[] {
  const methods = operations.map(({ method }) => method);
  return methods.includes('GET') ? [...methods, 'HEAD'] : methods;
}

export function pathOf(url: string): string {
  return url.split(/[?#]/, 1)[0]!;
}

function patternOf({ path }: Operation): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}
