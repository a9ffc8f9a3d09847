import type { JsonSchemaObject } from '../../contract/src/openapi-schemas.ts';

/** Titles that mean something else in JavaScript. */
const renamed: Record<string, string> = { Error: 'ErrorBody', Event: 'EventEnvelope' };

export function typeName(title: string): string {
  return renamed[title] ?? title;
}

/** The declaration of a component. */
export function declareType(title: string, schema: JsonSchemaObject): string {
  const doc = docComment(schema.description, '');
  const isObject = schema.type === 'object' && typeof schema.properties === 'object';
  return isObject
    ? `${doc}export interface ${typeName(title)} ${typeOf(schema)}\n`
    : `${doc}export type ${typeName(title)} = ${typeOf(schema)};\n`;
}

/** The TypeScript type of a JSON Schema, as the contract uses it. Throws for a keyword that it does not know. */
export function typeOf(schema: JsonSchemaObject, indent = ''): string {
  if (typeof schema.$ref === 'string') return typeName(schema.$ref.split('/').at(-1)!);
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.anyOf)) {
    // An open branch lets the service report an invalid row by itself. A typed client has no use for it.
    const branches = (schema.anyOf as JsonSchemaObject[]).filter((branch) => branch.type || branch.$ref);
    return branches.map((branch) => typeOf(branch, indent)).join(' | ');
  }
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type }, indent)).join(' | ');
  switch (schema.type) {
    case 'string':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array':
      return listOf(typeOf(schema.items as JsonSchemaObject, indent));
    case 'object':
      return objectType(schema, indent);
    default:
      throw new Error(`no type for ${JSON.stringify(schema)}`);
  }
}

function listOf(item: string): string {
  return /^[\w.]+$/.test(item) ? `${item}[]` : `Array<${item}>`;
}

function objectType(schema: JsonSchemaObject, indent: string): string {
  const { properties, required, additionalProperties } = schema;
  const needed = new Set(required as string[] | undefined);
  const deeper = `${indent}  `;
  const members = Object.entries((properties ?? {}) as Record<string, JsonSchemaObject>).map(([name, member]) => {
    const type = typeOf(member, deeper);
    // Callers under exactOptionalPropertyTypes may pass undefined: JSON leaves it out.
    const value = needed.has(name) ? `: ${type}` : `?: ${type} | undefined`;
    return `${docComment(describeMember(member), deeper)}${deeper}${name}${value};\n`;
  });
  if (additionalProperties === true) members.push(`${deeper}[name: string]: unknown;\n`);
  else if (typeof additionalProperties === 'object') {
    return `Record<string, ${typeOf(additionalProperties as JsonSchemaObject, deeper)}>`;
  }
  return members.length === 0 ? 'Record<string, never>' : `{\n${members.join('')}${indent}}`;
}

function describeMember({ description, format, 'x-availability': availability }: JsonSchemaObject): string | undefined {
  const time = format === 'date-time' && 'ISO 8601, UTC.';
  const words = [description, time, availability && `${availability}.`].filter(Boolean);
  return words.length === 0 ? undefined : words.join(' ');
}

/** A documentation comment with its line end, or nothing. */
export function docComment(text: unknown, indent: string): string {
  if (typeof text !== 'string' || text === '') return '';
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}
