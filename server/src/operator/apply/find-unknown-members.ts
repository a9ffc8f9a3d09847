import type { TSchema } from 'typebox';

/** The members of a file that its schema does not name, as JSON Pointers. They are most likely misspelled. */
export function findUnknownMembers(schema: TSchema, value: unknown, pointer = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { properties, items, additionalProperties } = schema as Shape;
  if (Array.isArray(value)) {
    return items ? value.flatMap((item, index) => findUnknownMembers(items, item, `${pointer}/${index}`)) : [];
  }
  if (!properties) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (known) return findUnknownMembers(known, member, `${pointer}/${name}`);
    return additionalProperties ? [] : [`${pointer}/${name}`];
  });
}

interface Shape {
  properties?: Record<string, TSchema>;
  items?: TSchema;
  /** True where another reader checks the further members. */
  additionalProperties?: boolean;
}
