import { type TextBound, textBoundOf } from '@majlis/contract';
import type { TSchema } from 'typebox';

/** A text, list or object of a request's schema. */
export interface BoundedMember {
  pointer: string;
  kind: TextBound | 'list' | 'object';
  /** The bound of a list that the contract states. */
  max_items?: number;
  /** The request's value with this member alone. */
  place(value: unknown): unknown;
}

interface Schema {
  type?: string | string[];
  anyOf?: TSchema[];
  items?: TSchema;
  maxItems?: number;
  properties?: Record<string, TSchema>;
}

/** All texts, lists and objects of a schema, outer ones first. */
export function boundedMembers(
  schema: TSchema,
  place: BoundedMember['place'] = (value) => value,
  pointer = '',
): BoundedMember[] {
  const { type, anyOf, items, maxItems, properties = {} } = schema as Schema;
  // The second branch of a row accepts anything.
  if (anyOf) return boundedMembers(anyOf[0]!, place, pointer);
  const types = [type].flat();
  if (types.includes('string')) return [{ pointer, kind: textBoundOf(schema), place }];
  if (types.includes('array')) {
    const list: BoundedMember = {
      pointer,
      kind: 'list',
      place,
      ...(maxItems !== undefined && { max_items: maxItems }),
    };
    return [list, ...(items ? boundedMembers(items, (value) => place([value]), `${pointer}/0`) : [])];
  }
  if (!types.includes('object')) return [];
  const members = Object.entries(properties).flatMap(([name, member]) =>
    boundedMembers(member, (value) => place({ [name]: value }), `${pointer}/${name}`),
  );
  return [{ pointer, kind: 'object', place }, ...members];
}
