import { type ErrorCode, errors, type HttpOperation, hoistSchemas, type Operation, operations } from '@majlis/contract';
import type { TObject, TSchema } from 'typebox';
import { type ConsoleErrorCode, consoleErrors, faultReasons } from './errors.ts';
import type { ConsoleOperation } from './operation.ts';
import { consoleOperations } from './operations.ts';
import { type PersonRule, personRules } from './roles.ts';

type Refer = (schema: TSchema) => object;

// The operations of the contract have the same path for people, below the workspace.
const inWorkspace = '/console/v1/workspaces/{workspace_id}';
const workspaceParameter = { name: 'workspace_id', in: 'path', required: true, schema: { type: 'string' } };

/** The OpenAPI document of `/console/v1`, for the console's own developers. It promises nothing to other clients. */
export function buildConsoleOpenApi(): object {
  const { components, refer } = hoistSchemas();
  const paths: Record<string, Record<string, unknown>> = {};
  const add = (path: string, { method }: HttpOperation, described: object) => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: described };
  };
  for (const operation of Object.values<ConsoleOperation>(consoleOperations)) {
    add(operation.path, operation, describeOwn(operation, refer));
  }
  for (const operation of Object.values<Operation>(operations)) {
    const rule = (personRules as Record<string, PersonRule | undefined>)[operation.id];
    if (rule) add(operation.path.replace('/v1', inWorkspace), operation, describeShared(operation, rule, refer));
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'The console of Majlis',
      version: '1',
      description: `For the console of the same version alone: it may change with every version. ${describeReasons()}`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ session: [] }],
    paths,
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: '__Host-majlis' } },
      schemas: components,
    },
  };
}

function describeReasons(): string {
  const reasons = Object.entries(faultReasons).map(([reason, meaning]) => `\`${reason}\`: ${meaning}`);
  return `A fault in the \`errors\` of a refusal may have a \`reason\`. ${reasons.join(' ')}`;
}

function describeOwn(operation: ConsoleOperation, refer: Refer): object {
  const { audience, confirmed, refusals } = operation;
  return {
    ...describe(operation, refer, describeParameters(operation.params, 'path', refer)),
    ...(audience === 'anyone' && { security: [] }),
    'x-audience': audience,
    ...(confirmed && { 'x-confirmed': true }),
    responses: {
      ...describeReply(operation, refer),
      ...describeRefusals([...commonOf(audience, confirmed), ...refusals]),
    },
  };
}

function describeShared(
  operation: Operation,
  { least, confirmed, headers = {}, refusals = [] }: PersonRule,
  refer: Refer,
): object {
  return {
    ...describe(operation, refer, [
      workspaceParameter,
      ...describeParameters(operation.params, 'path', refer),
      ...Object.entries(headers).map(([name, description]) => ({
        ...{ name, in: 'header', required: false, description },
        schema: { type: 'string' },
      })),
    ]),
    'x-audience': least,
    ...(confirmed && { 'x-confirmed': true }),
    responses: {
      ...describeReply(operation, refer),
      ...describeRefusals([...commonOf(least, confirmed), ...operation.refusals, ...refusals]),
    },
  };
}

function describe(
  { id, summary, query, body, body_content_type }: HttpOperation,
  refer: Refer,
  path: object[],
): object {
  const parameters = [...path, ...describeParameters(query, 'query', refer)];
  const type = body_content_type ?? 'application/json';
  return {
    operationId: id,
    summary,
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: { [type]: { schema: refer(body) } } } }),
  };
}

function describeParameters(schema: TObject | undefined, place: 'path' | 'query', refer: Refer): object[] {
  const required = new Set<unknown>(schema?.required);
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: required.has(name),
    schema: refer(property),
  }));
}

function describeReply({ reply }: HttpOperation, refer: Refer): Record<string, object> {
  const type = reply.content_type ?? 'application/json';
  const content = (reply.body ?? reply.content_type) && { [type]: { schema: reply.body ? refer(reply.body) : {} } };
  const answer = { description: 'Done.', ...(content && { content }) };
  return { [reply.status]: answer, ...(reply.otherwise && { [reply.otherwise.status]: answer }) };
}

/** The refusals that the audience brings. */
function commonOf(audience: ConsoleOperation['audience'], confirmed = false): (ErrorCode | ConsoleErrorCode)[] {
  const isMember = audience !== 'anyone' && audience !== 'person';
  return [
    'cross_site_request',
    'rate_limited',
    ...(audience === 'anyone' ? [] : (['signed_out'] as const)),
    ...(isMember ? (['role_insufficient', 'not_found'] as const) : []),
    ...(confirmed ? (['confirmation_required'] as const) : []),
  ];
}

function describeRefusals(codes: readonly (ErrorCode | ConsoleErrorCode)[]): Record<string, object> {
  const all = { ...errors, ...consoleErrors };
  const groups = Map.groupBy(new Set(codes), (code) => all[code].status);
  return Object.fromEntries(
    [...groups].map(([status, group]) => [
      status,
      { description: group.map((code) => `\`${code}\`: ${all[code].title}.`).join(' ') },
    ]),
  );
}
