import { type Static, type TObjectOptions, type TSchema, Type } from 'typebox';

/** Marks a member that is `Coming soon` in an operation that is live. */
export const comingSoon = { 'x-availability': 'Coming soon' } as const;

export function text(description?: string) {
  return Type.String(description === undefined ? {} : { description });
}

/** A text that people write, such as a message. `text` is for names, tags, keys and ids. */
export function longText(description?: string) {
  return Type.String({ bound: 'long', ...(description !== undefined && { description }) });
}

export function dateTime(description: string) {
  return Type.String({ format: 'date-time', description });
}

export function date(description: string) {
  return Type.String({ format: 'date', description });
}

/** A list of types, not a union: a wrong value then gives one error, not three. */
export function nullableText(description: string) {
  return Type.Unsafe<string | null>({ type: ['string', 'null'], description });
}

/** A closed list of strings. Only for lists that the contract closes. */
export function oneOf<const Values extends string[]>(values: readonly [...Values], description: string) {
  return Type.Enum(values, { type: 'string', description });
}

/**
 * An object of any names whose values have one shape. The pattern of `Type.Record(Type.String(), …)` ends at a line break, and
 * leaves the value of such a name unchecked.
 */
export function mapOf<Value extends TSchema>(value: Value, options: TObjectOptions = {}) {
  return Type.Record(Type.String({ pattern: '^[\\s\\S]*$' }), value, options);
}

/** An object whose keys the contract does not fix. */
export function anyObject(description: string) {
  return Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description });
}

export const ChannelType = oneOf(
  ['chatapp', 'instagram', 'messenger', 'sms', 'email', 'webchat'],
  'The type of the channel. Only `chatapp` is live.',
);
export type ChannelType = Static<typeof ChannelType>;
