import { apiVersion } from './events.ts';
import { extensionOperations } from './extensions.ts';
import { introduction } from './openapi-introduction.ts';
import { describeOperation } from './openapi-operation.ts';
import { describeResponses, headers } from './openapi-responses.ts';
import { hoistSchemas } from './openapi-schemas.ts';
import { describeWebhooks } from './openapi-webhooks.ts';
import type { Operation } from './operation.ts';
import { type OperationGroup, operationGroups } from './operations.ts';

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: readonly unknown[];
  readonly security: readonly unknown[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly webhooks: Readonly<Record<string, unknown>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The OpenAPI document of all operations. With `base_url` it names that installation as its server. */
export function buildOpenApi(base_url?: string): OpenApiDocument {
  const schemas = hoistSchemas();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { name, operations } of [...operationGroups, extensionGroup]) {
    for (const operation of operations) {
      const path = paths[operation.path] ?? {};
      paths[operation.path] = path;
      path[operation.method.toLowerCase()] = describeOperation(operation, name, schemas.refer);
    }
  }
  const webhooks = describeWebhooks(schemas.refer);
  const responses = describeResponses(schemas.refer);
  return {
    openapi: '3.1.0',
    info,
    servers: [base_url === undefined ? anyServer : { url: base_url, description: anyServer.description }],
    security: [{ api_key: [] }],
    tags: [...operationGroups, extensionGroup].map(({ name, description }) => ({ name, description })),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        api_key: { type: 'http', scheme: 'bearer', description: 'An API key of the workspace.' },
      },
      parameters: { IdempotencyKey: idempotencyKey },
      headers,
      responses,
      schemas: schemas.components,
    },
  };
}

const extensionGroup: OperationGroup = {
  name: 'Extensions',
  description: 'Operations of Majlis that the contract does not have. Another implementation need not offer them.',
  operations: Object.values<Operation>(extensionOperations),
};

const info = {
  title: 'Majlis',
  version: apiVersion,
  summary: 'A multi-tenant business messaging inbox: channels, contacts, conversations, messages and events.',
  description: introduction,
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
};

const anyServer = {
  url: '{base_url}',
  description: 'Your installation.',
  variables: { base_url: { default: 'http://127.0.0.1:8080', description: 'Its address, without `/v1`.' } },
};

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A key of your own for this write, for example a UUID. The same key with the same body acts once and returns the ' +
    'first result; with a different body it is refused with 409 `idempotency_conflict`. Keys are kept for 24 hours.',
  schema: { type: 'string' },
  example: '5f0c9a3e-7d1b-4a52-9a39-0f2f5b7c1e11',
};
