/** As much of JSON Schema as the members of the contract use. */
export interface MemberSchema {
  type?: string | readonly string[];
  enum?: readonly string[];
  description?: string;
  minimum?: number;
  items?: MemberSchema;
}

/** Stands for null: commander takes a parser's null for no value. */
export const cleared = Symbol('null');

/** The value of an option, as its help names it. */
export function placeholderOf(schema: MemberSchema): string {
  if (schema.enum) return '<choice>';
  switch (typeOf(schema)) {
    case 'string':
      return isNullable(schema) ? '<text|null>' : '<text>';
    case 'integer':
    case 'number':
      return '<number>';
    case 'boolean':
      return '[true|false]';
    default:
      return isTextList(schema) ? '<text...>' : '<json>';
  }
}

/** Reads the text of an option as a value of the schema. Throws a sentence that names what is allowed. */
export function readMember(schema: MemberSchema, text: string, before: unknown): unknown {
  if (schema.enum) {
    if (!schema.enum.includes(text)) throw new Error(`It must be one of ${schema.enum.join(', ')}.`);
    return text;
  }
  switch (typeOf(schema)) {
    case 'string':
      return isNullable(schema) && text === 'null' ? cleared : text;
    case 'integer':
    case 'number':
      return readNumber(schema, text);
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw new Error('It must be true or false.');
      return text === 'true';
    default:
      if (!isTextList(schema)) return readJson(schema, text);
      // As JSON, the list may be empty, or have texts that begin with a bracket.
      if (text.startsWith('[')) return readJson(schema, text);
      return [...((before as string[] | undefined) ?? []), text];
  }
}

function readNumber(schema: MemberSchema, text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  const isInteger = typeOf(schema) === 'integer';
  const least = schema.minimum === undefined ? '' : ` from ${schema.minimum} on`;
  if (!Number.isFinite(value) || (isInteger && !Number.isSafeInteger(value)) || value < (schema.minimum ?? -Infinity)) {
    throw new Error(`It must be a ${isInteger ? 'whole number' : 'number'}${least}.`);
  }
  return value;
}

function readJson(schema: MemberSchema, text: string): unknown {
  const isList = typeOf(schema) === 'array';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {}
  if (Array.isArray(value) === isList && typeof value === 'object' && value !== null) return value;
  throw new Error(`It must be a JSON ${isList ? 'array, such as [{"…":"…"}]' : 'object, such as {"…":"…"}'}.`);
}

function typeOf({ type }: MemberSchema): string | undefined {
  return typeof type === 'object' ? type.find((one) => one !== 'null') : type;
}

function isNullable({ type }: MemberSchema): boolean {
  return typeof type === 'object' && type.includes('null');
}

function isTextList({ type, items }: MemberSchema): boolean {
  return type === 'array' && items?.type === 'string' && !items.enum;
}
