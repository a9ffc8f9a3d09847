import { type TSchema, Type } from 'typebox';
import { text } from './fields.ts';

/** The envelope of a paged list. `order` describes the order of the entries. */
export function page<Item extends TSchema>(title: string, item: Item, order: string) {
  return Type.Object(
    {
      data: Type.Array(item, { description: order }),
      next_cursor: Type.Optional(text('The `cursor` of the next page. Absent on the last page.')),
      has_more: Type.Boolean({ description: 'Whether there is a next page.' }),
    },
    { title },
  );
}

/** The envelope of a list without pages. */
export function list<Item extends TSchema>(title: string, item: Item) {
  return Type.Object({ data: Type.Array(item) }, { title });
}

export const cursor = Type.Optional(text('The `next_cursor` of the previous page. Absent for the first page.'));

export const limit = Type.Optional(
  Type.Integer({
    minimum: 1,
    description: 'The largest number of entries to return. A page may be shorter; see `has_more`.',
  }),
);
