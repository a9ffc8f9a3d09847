import { type Operation, operations } from '@majlis/contract';
import { requestsByBody, sameAs } from './requests-by-body.ts';

/** A request that names one thing; `value` is its id in one's own or another workspace. */
export interface NamingRequest {
  title: string;
  operation: Operation;
  /** The name of the value in `TenantFixture.named`. */
  name: string;
  request(own: Record<string, string>, value: string): { url: string; body: unknown };
}

/** Query members that name no row of a workspace. */
const ownWords = new Set(['status', 'channel_type', 'limit', 'from', 'to', 'interval', 'group_by', 'cursor']);

/** One request for each id, filter and member of each operation. Fails where a member is not covered. */
export function collectNamingRequests(): NamingRequest[] {
  return (Object.values(operations) as Operation[]).flatMap((operation) => [
    ...byPath(operation),
    ...byQuery(operation),
    ...byBody(operation),
  ]);
}

export const operationPath = ({ path }: Operation, own: Record<string, string>) =>
  path.slice('/v1'.length).replaceAll(/\{(\w+)\}/g, (_, name: string) => own[name]!);

function byPath(operation: Operation): NamingRequest[] {
  return Object.keys(operation.params?.properties ?? {}).map((name) => ({
    title: `${operation.id} by ${name} in the path`,
    operation,
    name,
    request: (own, value) => ({
      url: operationPath(operation, { ...own, [name]: value }),
      body: bodyFor(operation, own),
    }),
  }));
}

/** The example's, where it does not stand in the way of what is asked. */
function bodyFor({ id, body, example }: Operation, { contact_id }: Record<string, string>): unknown {
  if (id === 'setWorkflowStatus') return { status: 'published' };
  if (id === 'mergeContact') return { source_contact_id: contact_id };
  return body && example.body;
}

/** A date so many days from now. Today is in the span in every zone. */
function dayIn(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

function byQuery(operation: Operation): NamingRequest[] {
  const names = Object.keys(operation.query?.properties ?? {}).filter((name) => !ownWords.has(name));
  const dates = operation.query?.properties.from ? `&from=${dayIn(-7)}&to=${dayIn(1)}` : '';
  return names.map((name) => ({
    title: `${operation.id} by ${name} in the query`,
    operation,
    name,
    request: (own, value) => ({
      url: `${operationPath(operation, own)}?${name}=${encodeURIComponent(value)}${dates}`,
      body: undefined,
    }),
  }));
}

function byBody(operation: Operation): NamingRequest[] {
  const asks = requestsByBody[operation.id as keyof typeof requestsByBody] ?? {};
  for (const name of membersOf(operation.body)) {
    if (!asks[name]) throw new Error(`nobody asks ${operation.id} by ${name} in the body`);
  }
  return Object.entries(asks).map(([name, body]) => ({
    title: `${operation.id} by ${name} in the body`,
    operation,
    name: sameAs[name] ?? name,
    request: (own, value) => ({ url: operationPath(operation, own), body: body(own, value) }),
  }));
}

/** The members of a schema, at any depth, that name something by an id. */
function membersOf(schema: { properties?: object; items?: object } | undefined): string[] {
  if (!schema) return [];
  const inside = Object.entries(schema.properties ?? {}) as [string, object][];
  return [
    ...inside.filter(([name]) => name.endsWith('_id')).map(([name]) => name),
    ...inside.flatMap(([, part]) => membersOf(part)),
    ...membersOf(schema.items),
  ];
}
