import { type Static, Type } from 'typebox';
import { datesOf, dateTime, inWorkspace, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';

/** The fees of one category on one day. */
export const FeeRow = Type.Object({
  date: text('The day in the time zone of the workspace.'),
  category: text('As the platform names it, such as `marketing_lite`.'),
  conversations: Type.Integer(),
  amount_minor: Type.Integer({ description: 'Drawn from the wallet, in minor units of its currency.' }),
});
export type FeeRow = Static<typeof FeeRow>;

/** A tier of the platform's prices that the volume of an account has reached. */
export const VolumeTier = Type.Object({
  waba_id: text('The business account at the platform.'),
  category: text('As the platform names it.'),
  region: text('The market, as the platform names it.'),
  from_count: Type.Optional(Type.Integer({ description: 'Of messages in the month.' })),
  to_count: Type.Optional(Type.Integer({ description: 'Absent: without a limit.' })),
  effective_month: Type.Optional(text('As the platform states it, such as `2026-11`.')),
  updated_at: dateTime(),
});
export type VolumeTier = Static<typeof VolumeTier>;

export const Fees = Type.Object({
  data: Type.Array(FeeRow),
  adjustments: Type.Array(
    Type.Object({
      at: dateTime(),
      amount_minor: Type.Integer({ description: 'Above zero where the operator filled the wallet.' }),
    }),
    { description: 'Changes of the balance by the operator, the latest first.' },
  ),
  volume_tiers: Type.Array(VolumeTier, { description: 'Those of now, whatever the period.' }),
});
export type Fees = Static<typeof Fees>;

export const billingOperations = {
  getFees: defineConsoleOperation({
    id: 'getFees',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/fees',
    audience: 'admin',
    summary: 'Read the conversation fees of a period by day and category',
    idempotent: false,
    params: inWorkspace,
    query: Type.Object(datesOf),
    reply: { status: 200, body: Fees },
    refusals: ['unprocessable_content'],
  }),
};
