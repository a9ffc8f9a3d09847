import { type Static, Type } from 'typebox';
import { examples } from './examples.ts';
import { text } from './fields.ts';
import { defineOperation } from './operation.ts';

export const Stage = Type.Object(
  { id: text(), name: text(), emoji: Type.Optional(text()), order: Type.Integer() },
  { title: 'Stage' },
);
export type Stage = Static<typeof Stage>;

export const stageOperations = {
  listStages: defineOperation({
    id: 'listStages',
    method: 'GET',
    path: '/v1/stages',
    label: 'Available',
    summary: 'List the lifecycle stages',
    description: 'All stages, in order. The answer is a plain array.',
    idempotent: false,
    reply: { status: 200, body: Type.Array(Stage, { title: 'StageList' }) },
    refusals: [],
    example: { reply: [{ id: examples.ids.stage, name: 'New lead', emoji: '🌱', order: 1 }] },
  }),
};
