import { type Static, Type } from 'typebox';
import { examples } from './examples.ts';
import { dateTime, longText, oneOf, text } from './fields.ts';
import { defineOperation } from './operation.ts';
import { list } from './page.ts';

export const TemplateCategory = oneOf(
  ['marketing', 'utility', 'authentication'],
  'Promotional, order updates and reminders, or one-time codes. It affects pricing and approval.',
);
export type TemplateCategory = Static<typeof TemplateCategory>;

export const TemplateStatus = oneOf(
  ['draft', 'pending', 'approved', 'rejected', 'paused', 'disabled'],
  'The review status at the channel platform. Only an `approved` template can be sent.',
);
export type TemplateStatus = Static<typeof TemplateStatus>;

export const TemplateButton = Type.Object(
  {
    type: Type.Optional(text('Such as `quick_reply`.')),
    text: Type.Optional(longText()),
    url: Type.Optional(longText()),
    phone_number: Type.Optional(text()),
  },
  { title: 'TemplateButton' },
);
export type TemplateButton = Static<typeof TemplateButton>;

export const TemplateComponent = Type.Object(
  {
    type: Type.Optional(oneOf(['header', 'body', 'footer', 'buttons'], 'The part of the message.')),
    format: Type.Optional(oneOf(['text', 'image', 'video', 'document'], 'The content of a header.')),
    text: Type.Optional(longText('The text, with the variables `{{1}}`, `{{2}}` and so on.')),
    examples: Type.Optional(Type.Array(longText(), { description: 'Sample values of the variables, in order.' })),
    buttons: Type.Optional(Type.Array(TemplateButton)),
  },
  { title: 'TemplateComponent' },
);
export type TemplateComponent = Static<typeof TemplateComponent>;

export const Template = Type.Object(
  {
    id: text(),
    name: text(),
    language: text(),
    category: TemplateCategory,
    components: Type.Array(TemplateComponent),
    status: TemplateStatus,
    rejection_reason: Type.Optional(text('The reason as the channel platform states it.')),
    quality: Type.Optional(text('The quality rating as the channel platform states it.')),
    updated_at: dateTime('When the template or its status last changed.'),
  },
  { title: 'Template' },
);
export type Template = Static<typeof Template>;

export const TemplateReview = Type.Object(
  {
    status: Type.Optional(TemplateStatus),
    rejection_reason: Type.Optional(text()),
    updated_at: Type.Optional(dateTime('When the template reached this status.')),
  },
  { title: 'TemplateReview' },
);
export type TemplateReview = Static<typeof TemplateReview>;

export const ReviewedTemplate = Type.Object(
  {
    ...Template.properties,
    review_history: Type.Optional(
      Type.Array(TemplateReview, {
        description: 'The earlier statuses. The contract does not fix the form of this list: do not rely on it.',
      }),
    ),
  },
  { title: 'ReviewedTemplate' },
);
export type ReviewedTemplate = Static<typeof ReviewedTemplate>;

export const TemplateCreate = Type.Object(
  {
    name: text('The name of the template, the same in every language.'),
    language: text('Such as `en` or `ar`.'),
    category: TemplateCategory,
    components: Type.Array(TemplateComponent),
  },
  { title: 'TemplateCreate' },
);
export type TemplateCreate = Static<typeof TemplateCreate>;

const templateParams = Type.Object({ template_id: text('The template.') });

export const templateOperations = {
  listTemplates: defineOperation({
    id: 'listTemplates',
    method: 'GET',
    path: '/v1/chatapp/templates',
    label: 'Available',
    summary: 'List the templates',
    description: 'All templates of the workspace, or those of one status or language. The list is not paged.',
    idempotent: false,
    query: Type.Object({
      status: Type.Optional(TemplateStatus),
      language: Type.Optional(text('Only templates in this language.')),
    }),
    reply: { status: 200, body: list('TemplateList', Template) },
    refusals: ['unprocessable_content'],
    example: { query: { status: 'approved', language: 'en' }, reply: { data: [examples.template] } },
  }),

  createTemplate: defineOperation({
    id: 'createTemplate',
    method: 'POST',
    path: '/v1/chatapp/templates',
    label: 'Available',
    summary: 'Create a template',
    description:
      'Stores the template as `pending` and submits it to the review of the channel platform. The result arrives as ' +
      'a `template.status_updated` event, usually within minutes. The name of a deleted template is refused for 30 ' +
      'days.',
    idempotent: false,
    body: TemplateCreate,
    reply: { status: 201, body: Template },
    refusals: ['unprocessable_content'],
    example: {
      body: {
        name: 'order_delivered',
        language: 'en',
        category: 'utility',
        components: [
          { type: 'body', text: 'Hello {{1}}, your order {{2}} has arrived.', examples: ['Muna', 'A-1042'] },
          { type: 'buttons', buttons: [{ type: 'quick_reply', text: 'Thank you' }] },
        ],
      },
      reply: {
        id: examples.ids.template,
        name: 'order_delivered',
        language: 'en',
        category: 'utility',
        components: [
          { type: 'body', text: 'Hello {{1}}, your order {{2}} has arrived.', examples: ['Muna', 'A-1042'] },
          { type: 'buttons', buttons: [{ type: 'quick_reply', text: 'Thank you' }] },
        ],
        status: 'pending',
        updated_at: '2026-11-18T10:12:00Z',
      },
    },
  }),

  getTemplate: defineOperation({
    id: 'getTemplate',
    method: 'GET',
    path: '/v1/chatapp/templates/{template_id}',
    label: 'Beta',
    summary: 'Read a template',
    description: 'The template with its review history.',
    idempotent: false,
    params: templateParams,
    reply: { status: 200, body: ReviewedTemplate },
    refusals: ['not_found'],
    example: {
      params: { template_id: examples.ids.template },
      reply: {
        ...examples.template,
        review_history: [
          { status: 'pending', updated_at: '2026-11-18T10:12:00Z' },
          { status: 'approved', updated_at: '2026-11-18T10:15:00Z' },
        ],
      },
    },
  }),

  deleteTemplate: defineOperation({
    id: 'deleteTemplate',
    method: 'DELETE',
    path: '/v1/chatapp/templates/{template_id}',
    label: 'Available',
    summary: 'Delete a template',
    description: 'Removes the template here and at the channel platform. Its name cannot be used again for 30 days.',
    idempotent: false,
    params: templateParams,
    reply: { status: 204 },
    refusals: ['not_found'],
    example: { params: { template_id: examples.ids.old_template } },
  }),
};
