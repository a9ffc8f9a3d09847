import type { TSchema } from 'typebox';

export type JsonSchemaObject = Readonly<Record<string, unknown>>;

/** Turns a schema into plain JSON Schema, with a reference for each schema that has a `title`. */
export type Refer = (schema: TSchema) => JsonSchemaObject;

/** Collects each schema with a `title` as one component of that name. Throws where two schemas share a title. */
export function hoistSchemas(): { readonly components: Record<string, JsonSchemaObject>; readonly refer: Refer } {
  const components: Record<string, JsonSchemaObject> = {};

  function hoist(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(hoist);
    if (typeof value !== 'object' || value === null) return value;
    const schema: Record<string, unknown> = {};
    const { beyond, ...promised } = value as { beyond?: unknown; enum?: unknown[] | undefined };
    // What the service takes beyond the contract is no promise.
    if (Array.isArray(beyond)) promised.enum = promised.enum?.filter((one) => !beyond.includes(one));
    for (const [key, member] of Object.entries(promised)) {
      // The figures of bounds are the operator's and no promise.
      if (key !== 'bound' || typeof member !== 'string') schema[key] = hoist(member);
    }
    const { title, ...component } = schema;
    return typeof title === 'string' ? register(title, component) : schema;
  }

  function register(title: string, component: JsonSchemaObject): JsonSchemaObject {
    const known = components[title];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(component)) {
      throw new Error(`Two different schemas have the title ${title}.`);
    }
    components[title] = component;
    return { $ref: `#/components/schemas/${title}` };
  }

  return { components, refer: (schema) => hoist(schema) as JsonSchemaObject };
}
