import { type Static, Type } from 'typebox';
import { examples } from './examples.ts';
import { oneOf, text } from './fields.ts';
import { defineOperation } from './operation.ts';
import { list } from './page.ts';

const fields = {
  key: text('The key of the value in `custom_fields` of a contact.'),
  label: Type.Optional(text('The name that people see.')),
  type: oneOf(['text', 'number', 'date', 'boolean', 'select'], 'The type of the value.'),
  options: Type.Optional(Type.Array(Type.String(), { description: 'The choices of a `select`.' })),
};

export const CustomField = Type.Object(fields, { title: 'CustomField' });
export type CustomField = Static<typeof CustomField>;

export const CustomFieldCreate = Type.Object(fields, { title: 'CustomFieldCreate' });
export type CustomFieldCreate = Static<typeof CustomFieldCreate>;

const example: CustomField = { key: 'branch', label: 'Branch', type: 'select', options: ['Mutrah', 'Seeb'] };

export const customFieldOperations = {
  listCustomFields: defineOperation({
    id: 'listCustomFields',
    method: 'GET',
    path: '/v1/custom-fields',
    label: 'Coming soon',
    summary: 'List the custom fields',
    description: 'The definitions of all custom fields of contacts.',
    idempotent: false,
    reply: { status: 200, body: list('CustomFieldList', CustomField) },
    refusals: [],
    example: { reply: { data: [{ ...examples.customField, options: [...examples.customField.options] }] } },
  }),

  createCustomField: defineOperation({
    id: 'createCustomField',
    method: 'POST',
    path: '/v1/custom-fields',
    label: 'Coming soon',
    summary: 'Define a custom field',
    description: 'Defines a custom field, so that contacts may have a value under its key.',
    idempotent: false,
    body: CustomFieldCreate,
    reply: { status: 201, body: CustomField },
    refusals: ['unprocessable_content'],
    example: { body: example, reply: example },
  }),
};
