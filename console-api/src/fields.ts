import { type TSchema, Type } from 'typebox';
import { roles } from './roles.ts';

export const text = (description?: string) => Type.String(description === undefined ? {} : { description });
export const count = (description?: string) => Type.Integer(description === undefined ? {} : { description });
export const dateTime = (description?: string) =>
  Type.String({ format: 'date-time', ...(description !== undefined && { description }) });
export const RoleText = Type.Enum([...roles], { type: 'string', description: 'A role of the console.' });
export const inWorkspace = Type.Object({ workspace_id: text() });
export const inConversation = Type.Object({ workspace_id: text(), conversation_id: text() });
export const page = <Item extends TSchema>(item: Item) =>
  Type.Object({ data: Type.Array(item), next_cursor: Type.Optional(text()), has_more: Type.Boolean() });
export const nothing = { status: 204 } as const;
const date = (description: string) => Type.String({ format: 'date', description });
/** The days of a report, both included, in the time zone of the workspace. */
export const datesOf = { from: date('The first day.'), to: date('The last day.') };
