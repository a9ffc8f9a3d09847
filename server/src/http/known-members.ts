import type { TSchema } from 'typebox';

/**
 * Keeps the members that the schema names. The contract allows others, which have no meaning, even if a use case knows a
 * member of that name for another operation.
 */
export function knownMembers<Value>(schema: TSchema | undefined, value: Value): Value {
  const properties = schema && 'properties' in schema ? (schema.properties as object) : undefined;
  if (!properties || typeof value !== 'object' || value === null) return value;
  const known: Record<string, unknown> = {};
  for (const name in properties) {
    if (Object.hasOwn(value, name)) known[name] = value[name as keyof Value & object];
  }
  return known as Value;
}
