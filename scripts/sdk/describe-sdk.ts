import {
  allEvents,
  ErrorBody,
  type ExtensionOperation,
  errors,
  eventDetails,
  extensionErrors,
  extensionOperations,
  type Operation,
  operations,
  refusalsOf,
  scopesOf,
} from '../../contract/src/index.ts';
import { describeLimit } from '../../contract/src/limits.ts';
import { methodNames } from '../../contract/src/method-names.ts';
import { hoistSchemas, type JsonSchemaObject } from '../../contract/src/openapi-schemas.ts';
import { declareType, docComment, typeName, typeOf } from './schema-types.ts';

const head = '// Written by scripts/generate-contract.ts. Do not edit.\n';
const all: readonly Operation[] = [...Object.values<Operation>(operations), ...Object.values(extensionOperations)];
const named = all.map((operation) => {
  const { name, repeatable } = methodNames[operation.id as keyof typeof methodNames];
  const [resource, method] = name.split('.') as [string, string];
  return { operation, resource, method, repeatable: repeatable === true };
});
type Named = (typeof named)[number];
const resources = Map.groupBy(named, ({ resource }) => resource);

/** The types of the client: all schemas, one interface per resource, one error class's codes per status, the events. */
export function describeTypes(): string {
  const { components, refer } = hoistSchemas();
  refer(ErrorBody);
  const interfaces = [...resources].map(([resource, methods]) => {
    const members = methods.map((method) => declareMethod(method, refer));
    return `export interface ${pascal(resource)}Resource {\n${members.join('\n')}}\n`;
  });
  const queries = named
    .filter(({ operation }) => operation.query)
    .map(({ operation }) => declareType(queryName(operation), refer(operation.query!)));
  const data = Object.entries(allEvents).map(([type, event]) => {
    const doc = docComment(`${event.summary}. ${event.description}`, '  ');
    const details = eventDetails[type];
    const added = details ? ` & ${typeOf(refer(details.data))}` : '';
    return `${doc}  '${type}': ${typeOf(refer(event.data))}${added};\n`;
  });
  const api = [...resources.keys()].map((resource) => `  readonly ${resource}: ${pascal(resource)}Resource;\n`);
  return [
    head,
    "import type { ApiPromise, KeyedOptions, RequestOptions } from './options.ts';",
    "import type { PagePromise } from './page.ts';",
    "import type { Upload } from './upload.ts';\n",
    ...Object.entries(components).map(([title, schema]) => declareType(title, schema)),
    ...queries,
    ...interfaces,
    `/** All operations, by resource. */\nexport interface Resources {\n${api.join('')}}\n`,
    `/** The \`data\` of each type of event. */\nexport interface EventData {\n${data.join('')}}\n`,
    declareCodes(),
  ].join('\n');
}

/** The requests of the methods, for the runtime. */
export function describeMethods(): string {
  const groups = [...resources].map(([resource, methods]) => {
    const entries = methods.map(({ method, ...rest }) => `    ${method}: ${JSON.stringify(entryOf(rest))},\n`);
    return `  ${resource}: {\n${entries.join('')}  },\n`;
  });
  return `${head}
import type { MethodTable } from './methods.ts';

export const methods: MethodTable = {
${groups.join('')}};
`;
}

function entryOf({ operation, repeatable }: Omit<Named, 'method' | 'resource'>) {
  const { method, path, body, query, reply, idempotent, body_content_type } = operation;
  return {
    method,
    path,
    ...(body_content_type ? { takes: 'file' } : body ? { takes: 'body' } : query ? { takes: 'query' } : {}),
    ...(isPaged(operation) && { gives: 'page' }),
    ...(reply.content_type && { gives: 'bytes' }),
    ...(method === 'POST' && (idempotent ? { repeats: 'keyed' } : !repeatable && { repeats: 'refused' })),
  };
}

function declareMethod({ operation, method }: Named, refer: (schema: never) => JsonSchemaObject): string {
  const { params, query, body, body_content_type, idempotent, reply } = operation;
  const ids = Object.keys(params?.properties ?? {}).map((name) => `${name}: string`);
  const input = body ?? query;
  const inputs =
    body_content_type !== undefined
      ? ['file: Upload']
      : input
        ? [`params${'required' in input ? '' : '?'}: ${body ? nameOf(refer(body as never)) : queryName(operation)}`]
        : [];
  const options = `options?: ${idempotent ? 'KeyedOptions' : 'RequestOptions'}`;
  const schema = reply.body && refer(reply.body as never);
  const result = reply.content_type
    ? 'ApiPromise<Response>'
    : isPaged(operation)
      ? `PagePromise<${itemOf(reply.body!, refer)}>`
      : `ApiPromise<${schema ? nameOf(schema) : 'void'}>`;
  const doc = docComment(documentationOf(operation), '  ');
  return `${doc}  ${method}(${[...ids, ...inputs, options].join(', ')}): ${result};\n`;
}

function documentationOf(operation: Operation): string {
  const { summary, description, label, limit, method, path } = operation;
  const scopes = scopesOf(operation).map(({ scope, when }) => `Scope \`${scope}\`${when ? ` ${when}` : ''}.`);
  const limits = limit === undefined ? '' : ` At most ${describeLimit(limit)}.`;
  const { extension, extension_refusals = [] } = operation as Partial<ExtensionOperation>;
  const refusals = [...refusalsOf(operation), ...extension_refusals].map((code) => `\`${code}\``);
  return [
    `${summary}.`,
    '',
    description,
    '',
    `\`${method} ${path}\`. ${extension ? 'An extension, not part of the contract. ' : ''}${[`${label}.`, ...scopes].join(' ')}${limits}`,
    `Refusals: ${refusals.join(', ')}.`,
  ].join('\n');
}

function declareCodes(): string {
  const byStatus = Map.groupBy(Object.entries({ ...errors, ...extensionErrors }), ([, { status }]) => status);
  const lines = [...byStatus].map(([status, codes]) => {
    return `  ${status}: ${codes.map(([code]) => `'${code}'`).join(' | ')};\n`;
  });
  return `/** The codes of the refusals, by HTTP status. The catalogue is closed. */
export interface CodesByStatus {
${lines.join('')}}

/** The reason of a refusal. */
export type ErrorCode = CodesByStatus[keyof CodesByStatus];
`;
}

function isPaged({ reply }: Operation): boolean {
  return reply.body !== undefined && 'next_cursor' in ((reply.body as { properties?: object }).properties ?? {});
}

function itemOf(body: object, refer: (schema: never) => JsonSchemaObject): string {
  const { data } = (body as { properties: { data: { items: never } } }).properties;
  return nameOf(refer(data.items));
}

function nameOf(schema: JsonSchemaObject): string {
  return typeof schema.$ref === 'string' ? typeName(schema.$ref.split('/').at(-1)!) : typeOf(schema, '  ');
}

function queryName({ id }: Operation): string {
  return `${pascal(id)}Query`;
}

function pascal(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
