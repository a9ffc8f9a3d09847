import type { TSchema } from 'typebox';

/**
 * Of an object that was sent, the members that its schema names. The contract lets a request have others, and they mean
 * nothing: not even where a story knows a member of that name which this operation does not offer.
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
