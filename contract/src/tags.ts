import { type Static, Type } from 'typebox';
import { text } from './fields.ts';
import { defineOperation } from './operation.ts';
import { list } from './page.ts';

export const Tag = Type.Object(
  { name: text(), contacts: Type.Integer({ description: 'How many contacts carry it.' }) },
  { title: 'Tag' },
);
export type Tag = Static<typeof Tag>;

export const tagOperations = {
  listTags: defineOperation({
    id: 'listTags',
    method: 'GET',
    path: '/v1/tags',
    label: 'Coming soon',
    summary: 'List the tags',
    description: 'Every tag in use, with the number of contacts that carry it.',
    idempotent: false,
    reply: { status: 200, body: list('TagList', Tag) },
    refusals: [],
    example: { reply: { data: [{ name: 'vip-list', contacts: 250 }] } },
  }),
};
