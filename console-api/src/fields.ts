import { Type } from 'typebox';
import { roles } from './roles.ts';

export const text = (description?: string) => Type.String(description === undefined ? {} : { description });
export const dateTime = (description?: string) =>
  Type.String({ format: 'date-time', ...(description !== undefined && { description }) });
export const RoleText = Type.Enum([...roles], { type: 'string', description: 'A role of the console.' });
export const inWorkspace = Type.Object({ workspace_id: text() });
export const nothing = { status: 204 } as const;
