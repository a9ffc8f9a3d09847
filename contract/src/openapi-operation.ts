import type { TObject } from 'typebox';
import { type ExtensionOperation, extensionErrors } from './extensions.ts';
import { describeLimit } from './limits.ts';
import { describeExtensionResponse, rateLimitHeaders, referResponses } from './openapi-responses.ts';
import type { JsonSchemaObject, Refer } from './openapi-schemas.ts';
import { type Operation, scopesOf } from './operation.ts';

/** The OpenAPI description of one operation. */
export function describeOperation(operation: Operation, tag: string, refer: Refer): Record<string, unknown> {
  const parameters = describeParameters(operation, refer);
  const requestBody = describeBody(operation, refer);
  return {
    operationId: operation.id,
    tags: [tag],
    summary: operation.summary,
    description: `${operation.description}\n\n${describeConditions(operation)}`,
    'x-availability': operation.label,
    ...(isExtension(operation) && { 'x-extension': true }),
    ...(operation.scope && { security: [{ api_key: [operation.scope] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: {
      ...describeReplies(operation, refer),
      ...referResponses(operation, refer),
      ...describeExtensionRefusals(operation, refer),
    },
  };
}

function describeConditions(operation: Operation): string {
  const { label, limit } = operation;
  const limits = limit === undefined ? [describeLimit('requests')] : [describeLimit('requests'), describeLimit(limit)];
  return [
    ...(isExtension(operation) ? ['An extension, not part of the contract.'] : []),
    `Availability: ${label}.`,
    ...scopesOf(operation).map(({ scope, when }) => `Scope${when ? ` ${when}` : ''}: \`${scope}\`.`),
    `Limits for each workspace: ${limits.join(', ')}.`,
  ].join(' ');
}

function isExtension(operation: Operation): operation is ExtensionOperation {
  return 'extension' in operation;
}

function describeExtensionRefusals(operation: Operation, refer: Refer): Record<string, unknown> {
  const codes = isExtension(operation) ? operation.extension_refusals : [];
  return Object.fromEntries(
    codes.map((code) => [extensionErrors[code].status, describeExtensionResponse(code, extensionErrors[code], refer)]),
  );
}

function describeParameters({ params, query, idempotent, example }: Operation, refer: Refer): unknown[] {
  return [
    ...describeIn('path', params, example.params, refer),
    ...describeIn('query', query, example.query, refer),
    ...(idempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ];
}

function describeIn(place: 'path' | 'query', schemas: TObject | undefined, values: object = {}, refer: Refer) {
  const examples = new Map<string, unknown>(Object.entries(values));
  const required = new Set<unknown>(schemas?.required);
  return Object.entries(schemas?.properties ?? {}).map(([name, property]) => {
    const { description, ...schema } = refer(property);
    return {
      name,
      in: place,
      required: required.has(name),
      description,
      schema,
      ...(examples.has(name) && { example: examples.get(name) }),
    };
  });
}

function describeBody(
  { body, body_content_type, example }: Operation,
  refer: Refer,
): Record<string, unknown> | undefined {
  if (body === undefined) return undefined;
  const content = { [body_content_type ?? 'application/json']: { schema: refer(body), example: example.body } };
  return { required: hasRequired(body), content };
}

function describeReplies({ reply, example }: Operation, refer: Refer): Record<string, unknown> {
  const schema: JsonSchemaObject | undefined = reply.body && refer(reply.body);
  const json = schema && { 'application/json': { schema, example: example.reply } };
  const raw = reply.content_type && { [reply.content_type]: { schema: {}, example: example.reply } };
  const content = raw ?? json;
  const answer = { headers: rateLimitHeaders, ...(content && { content }) };
  return {
    [reply.status]: { description: descriptions[reply.status], ...answer },
    ...(reply.otherwise && { [reply.otherwise.status]: { description: reply.otherwise.when, ...answer } }),
  };
}

const descriptions = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted. The service does the work after the response.',
  204: 'Removed.',
};

/** TypeBox omits `required` where no member is required, although its type declares it. */
function hasRequired(schema: TObject): boolean {
  return 'required' in schema;
}
