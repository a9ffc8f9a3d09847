import type { Operation } from '@majlis/contract';
import type { JSONObject } from '@modelcontextprotocol/server';
import { type OperationCall, type PerformOperation, RefusedCall } from './perform-operation.ts';

export type ToolInput = Readonly<Record<string, unknown>>;

export interface Tool {
  name: string;
  title: string;
  description: string;
  /** What the tool performs. Scopes and hints follow from them. */
  operations: readonly [Operation, ...Operation[]];
  input: InputSchema;
  /** The operations write, but only what the team sees. */
  drafts?: true;
  /** The first call changes nothing: it answers this, and a token for the second one. */
  preview?: (perform: PerformOperation, input: ToolInput) => Promise<object>;
  call(perform: PerformOperation, input: ToolInput, idempotency_key?: string): Promise<unknown>;
}

/** JSON Schema of the arguments. */
export type InputSchema = {
  type: 'object';
  properties: Record<string, JSONObject>;
  required: string[];
  additionalProperties: false;
};

const keyMember = 'idempotency_key';
const keySchema = {
  type: 'string',
  description:
    'Any text that is new for each message, such as a UUID. A call with the same text again sends nothing again, so repeat ' +
    'it when the outcome of a call is unknown.',
};

/** A tool that performs one operation. Its arguments are the ids of the path, the query and the members of the body. */
export function toolOf(
  operation: Operation,
  tool: Pick<Tool, 'name' | 'title' | 'description' | 'drafts' | 'preview'> & InputOptions,
): Tool {
  const { only, omit, required, fixed, ...rest } = tool;
  return {
    ...rest,
    operations: [operation],
    input: inputOf(operation, { only, omit, required, fixed, with_key: operation.idempotent && !tool.preview }),
    call: (perform, input, idempotency_key = input[keyMember] as string | undefined) =>
      perform(operation, callOf(operation, { ...input, ...fixed }, idempotency_key)),
  };
}

export interface InputOptions {
  /** The members to offer. Absent: all. */
  only?: readonly string[] | undefined;
  omit?: readonly string[] | undefined;
  /** Members that this tool needs, though the operation does not. */
  required?: readonly string[] | undefined;
  /** Members with a value that the tool sets. */
  fixed?: Readonly<Record<string, unknown>> | undefined;
  with_key?: boolean;
}

/** The arguments of a tool, from the schemas of its operation. */
export function inputOf(
  { params, query, body }: Operation,
  { only, omit = [], required = [], fixed = {}, with_key = false }: InputOptions = {},
): InputSchema {
  const parts = [params, query, body].filter((part) => part !== undefined);
  const isOffered = (name: string) => !omit.includes(name) && !(name in fixed) && (only?.includes(name) ?? true);
  const members = parts.flatMap((part) => Object.entries(part.properties)).filter(([name]) => isOffered(name));
  const needed = parts.flatMap((part) => part.required ?? []).filter(isOffered);
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(members.map(([name, schema]) => [name, plainSchema(schema)])),
      ...(with_key && { [keyMember]: keySchema }),
    },
    required: [...new Set([...needed, ...required, ...(with_key ? [keyMember] : [])])],
    additionalProperties: false,
  };
}

/** Leaves out what means something to the service alone. */
function plainSchema(schema: object): JSONObject {
  const isOwn = (name: string, value: unknown) =>
    name === 'x-availability' || (name === 'bound' && typeof value === 'string');
  return JSON.parse(JSON.stringify(schema, (name, value) => (isOwn(name, value) ? undefined : value))) as JSONObject;
}

function callOf(operation: Operation, input: ToolInput, idempotency_key: string | undefined): OperationCall {
  const membersOf = (part: Operation['body']) =>
    Object.fromEntries(
      Object.keys(part?.properties ?? {})
        .filter((name) => name in input)
        .map((name) => [name, input[name]]),
    );
  return {
    params: membersOf(operation.params) as Record<string, string>,
    query: membersOf(operation.query),
    ...(operation.body && { body: membersOf(operation.body) }),
    idempotency_key,
  };
}

/** Refuses unknown and missing arguments, which `/v1` would pass over or could not name. It checks the values themselves. */
export function checkInput(
  { input: { properties, required } }: Tool,
  input: ToolInput,
  more: readonly string[] = [],
): void {
  const known = [...Object.keys(properties), ...more];
  const faults = [
    ...Object.keys(input)
      .filter((name) => !known.includes(name))
      .map((name) => ({ pointer: `/${name}`, detail: `is no argument of this tool, which has ${known.join(', ')}` })),
    ...required
      .filter((name) => input[name] === undefined || input[name] === '')
      .map((name) => ({ pointer: `/${name}`, detail: 'is required' })),
    ...Object.entries(properties)
      .filter(([name, schema]) => schema.type === 'string' && name in input)
      .filter(([name]) => typeof input[name] !== 'string')
      .map(([name]) => ({ pointer: `/${name}`, detail: 'must be a string' })),
  ];
  if (faults.length > 0) throw new RefusedCall({ code: 'unprocessable_content', errors: faults.slice(0, 10) });
}

/** What clients are told of a tool, by the table of operations. */
export function hintsOf({ operations, title }: Tool) {
  const isRead = operations.every(({ method }) => method === 'GET');
  // What reached a customer cannot be taken back.
  const reaches = operations.some(({ scope, scope_with }) => (scope ?? scope_with?.scope) === 'messages:write');
  return {
    title,
    readOnlyHint: isRead,
    destructiveHint: reaches || operations.some(({ method }) => method === 'DELETE'),
    // A repeated POST is one effect only with its idempotency key, which the tools of such operations require.
    idempotentHint: operations.every(({ method, idempotent }) => method !== 'POST' || idempotent),
    openWorldHint: reaches,
  };
}

/** A key without `messages:write` makes an assistant that reads and drafts, and does nothing else. */
export const sendingScope = 'messages:write';

export function isOffered({ operations, drafts }: Tool, scopes: readonly string[]): boolean {
  if (!operations.every(({ scope }) => scope === undefined || scopes.includes(scope))) return false;
  return scopes.includes(sendingScope) || drafts === true || operations.every(({ method }) => method === 'GET');
}
