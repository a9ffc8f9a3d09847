import type { OpenApiDocument } from '@majlis/contract';

interface Badge {
  name: string;
  position: 'after';
  color: string;
}

/** The values stand in the style of the page, light and dark. */
const colours: Readonly<Record<string, string>> = {
  Available: 'var(--majlis-available)',
  Beta: 'var(--majlis-beta)',
  'Coming soon': 'var(--majlis-coming)',
  Extension: 'var(--majlis-extension)',
};

/** The document with the labels of its operations and events as badges, for the reference page. */
export function describeReference(document: OpenApiDocument): object {
  return { ...document, paths: withBadges(document.paths), webhooks: withBadges(document.webhooks) };
}

function withBadges(items: object): object {
  return mapMembers(items, (item) => mapMembers(item as object, (operation) => addBadges(operation)));
}

function addBadges(operation: unknown): unknown {
  if (typeof operation !== 'object' || operation === null || !('x-availability' in operation)) return operation;
  const names = [String(operation['x-availability']), ...('x-extension' in operation ? ['Extension'] : [])];
  return { ...operation, 'x-badges': names.map(badge) };
}

function badge(name: string): Badge {
  return { name, position: 'after', color: colours[name] ?? 'var(--majlis-available)' };
}

function mapMembers(value: object, map: (member: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, map(member)]));
}
