import { ConversationMessageSend, type ErrorDetail } from '@majlis/contract';
import { Compile } from 'typebox/compile';
import { findContentFaults } from '../../messages/accept/compose-content.ts';
import { isObject } from '../../platform/read-json.ts';
import { listVariables } from '../run/expand.ts';
import { describeSchemaErrors } from './describe-schema-errors.ts';

const sendable = Compile(ConversationMessageSend);

/**
 * The first fault of a message that no value of its variables can mend, so that every send of it would fail. `detail` begins
 * with the name of the member.
 */
export function findMessageFault(message: Record<string, unknown>): ErrorDetail | undefined {
  const literal = removeVariables(message) as ConversationMessageSend;
  const isCertain = ({ pointer }: ErrorDetail) => !dependsOnVariable(message, pointer);
  const malformed = describeSchemaErrors(sendable.Errors(literal), '', '').find(isCertain);
  if (malformed || hasOpenRules(message)) return malformed;
  for (const fault of findContentFaults(literal)) {
    const member = fault.pointer.slice(fault.pointer.lastIndexOf('/') + 1);
    if (isCertain(fault)) return { ...fault, detail: `${member} ${fault.detail}` };
  }
  return undefined;
}

/** Whether a variable decides which rules hold for the other members. */
function hasOpenRules({ interactive }: Record<string, unknown>): boolean {
  if (!isObject(interactive)) return false;
  const { type, body, sections } = interactive;
  return listVariables(JSON.stringify([type, body, sections])).length > 0;
}

/** The value without its texts with variables. The other items of a list keep their places. */
function removeVariables(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => (hasVariable(item) ? null : removeVariables(item)));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, member]) => !hasVariable(member));
  return Object.fromEntries(entries.map(([name, member]) => [name, removeVariables(member)]));
}

/** Whether the value at the pointer, or one around it, is a text with variables. */
function dependsOnVariable(value: unknown, pointer: string): boolean {
  let at = value;
  for (const name of pointer.split('/').slice(1)) {
    if (hasVariable(at)) return true;
    at = (at as Record<string, unknown> | null | undefined)?.[name];
  }
  return hasVariable(at);
}

function hasVariable(value: unknown): boolean {
  return typeof value === 'string' && listVariables(value).length > 0;
}
