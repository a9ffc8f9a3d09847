import { type HttpOperation, type Operation, operations } from '@majlis/contract';
import { type BoundedMember, boundedMembers } from '@majlis/testing/bounded-members';
import type { Bounds } from '../../server/src/http/body/check-bounds.ts';
import { WorkspaceFile } from '../../server/src/operator/apply/workspace-file.ts';
import { shapeNames, writeShape } from './worst-shapes.ts';

export interface BoundedRequest {
  title: string;
  method: string;
  /** From `/v1`, `/operator` or `/console/v1` on. */
  path: string;
  body?: string;
}

/** What a workspace has, by the name of the parameter or member. */
export type Names = Record<string, string>;

/** Below the limit of small bodies, whatever the characters. */
const most_bytes = 900_000;

/** Every text, list and object of every operation at its bound, in every shape, in bodies that are valid otherwise. */
export function boundedRequests(bounds: Bounds, names: Names): BoundedRequest[] {
  const all: Operation[] = Object.values(operations);
  return [
    ...all.flatMap((operation) =>
      requestsTo({ operation, bases: basesOf(operation, names), query: operation.example.query, bounds, names }),
    ),
    ...boundedMembers(WorkspaceFile).flatMap((member) =>
      valuesOf(member, bounds).map(({ shape, value }) => {
        const file = merge({ workspace: { name: 'Other' } }, member.place(value));
        return {
          title: `file ${member.pointer}: ${shape}`,
          method: 'PUT',
          path: '/operator/workspaces',
          ...jsonOf(file),
        };
      }),
    ),
  ];
}

/** A valid request to each operation with a body. */
export function plainRequests(names: Names): BoundedRequest[] {
  return (Object.values(operations) as Operation[]).flatMap((operation) =>
    basesOf(operation, names).map((base) => {
      return { title: operation.id, method: operation.method, path: pathOf(operation, names), ...jsonOf(base) };
    }),
  );
}

interface Asked {
  operation: HttpOperation;
  /** Valid bodies. */
  bases: readonly object[];
  /** A valid query. */
  query: object | undefined;
  bounds: Bounds;
  names: Names;
}

/** Each text, list and object of the query and of the body at its bound, in every shape. */
export function requestsTo({ operation, bases, query = {}, bounds, names }: Asked): BoundedRequest[] {
  const { id, method, body, body_content_type } = operation;
  const path = pathOf(operation, names);
  const queries = boundedMembers(operation.query ?? {}).filter(({ kind }) => kind !== 'object' && kind !== 'list');
  const members = body && !body_content_type ? boundedMembers(body) : [];
  return [
    ...queries.flatMap((member): BoundedRequest[] =>
      valuesOf(member, bounds).map(({ shape, value }) => {
        const search = new URLSearchParams({ ...query, ...(member.place(value) as object) } as Names);
        return { title: `${id}?${member.pointer}: ${shape}`, method, path: `${path}?${search}` };
      }),
    ),
    ...members.flatMap((member) =>
      bases.flatMap((base) =>
        valuesOf(member, bounds).map(({ shape, value }) => {
          const sent = merge(base, member.place(value));
          return { title: `${id} ${member.pointer}: ${shape}`, method, path, ...jsonOf(sent) };
        }),
      ),
    ),
  ].filter(({ path: url, body: json = '' }) => url.length < 15_000 && Buffer.byteLength(json) < 1_048_576);
}

function valuesOf(member: BoundedMember, bounds: Bounds): { shape: string; value: unknown }[] {
  const { kind, max_items } = member;
  return shapeNames.flatMap((shape): { shape: string; value: unknown }[] => {
    if (kind === 'list') {
      const count = Math.min(max_items ?? bounds.list, 1_000);
      const text = writeShape(shape, Math.min(bounds.short, Math.floor(most_bytes / count / 3)) - 4);
      return [{ shape: `${count} × ${shape}`, value: Array.from({ length: count }, (_, n) => `${n}${text}`) }];
    }
    if (kind !== 'object') return [{ shape, value: writeShape(shape, bounds[kind]) }];
    return [
      { shape, value: { text: writeShape(shape, bounds.long) } },
      { shape: `a name of ${shape}`, value: { [writeShape(shape, bounds.short)]: 'x' } },
    ];
  });
}

const template = { name: 'order_update', language: 'en', params: ['Muna', 'A-1042'] };

/** Bodies that the operation accepts. Members that exclude each other need a body each. */
function basesOf(operation: Operation, names: Names): object[] {
  const contents = [
    { kind: 'text', body: 'Hello' },
    { kind: 'template', template },
    { kind: 'location', location: { latitude: 23.6, longitude: 58.4 } },
    { kind: 'interactive', body: 'Which?', interactive: { type: 'buttons', buttons: [{ id: 'a', title: 'A' }] } },
  ];
  const broadcast = {
    name: 'Sale',
    template: { name: 'order_update', language: 'en' },
    send_at: '2099-01-01T00:00:00Z',
  };
  const bases: Partial<Record<string, object[]>> = {
    sendMessage: contents.map((content) => ({ to: names.to, ...content })),
    sendConversationMessage: contents,
    addConversationNote: [{ body: '@Omar' }],
    closeConversation: [{}],
    assignConversation: [{}],
    setConversationStage: [{}],
    handOverConversation: [{ to: 'human' }],
    upsertContact: ['chatapp', 'email', 'instagram'].map((channel_type) => ({
      identities: [{ channel_type, identifier: channel_type === 'email' ? 'muna@acme.example' : names.to }],
    })),
    updateContact: [{}],
    importContacts: [{ contacts: [{ identities: [{ channel_type: 'instagram', identifier: 'muna' }] }] }],
    createCustomField: [{ key: 'city', type: 'text' }],
    startWorkflowRun: [{ contact: { channel_type: 'chatapp', identifier: names.to }, variables: { text: 'x' } }],
    createBroadcast: [
      { ...broadcast, audience: { tags: ['vip'] } },
      { ...broadcast, audience: { recipients: [{ to: names.to, params: template.params }] } },
    ],
    composeReply: [{}],
    addKnowledgeSource: [
      { type: 'text', text: 'x' },
      { type: 'url', url: 'https://acme.example' },
    ],
    createWebhookEndpoint: [{ url: 'https://acme.example', events: ['template.status_updated'] }],
    updateWebhookEndpoint: [{ events: ['template.status_updated'] }],
  };
  const { body, body_content_type, example } = operation;
  if (!body || body_content_type) return [];
  return bases[operation.id] ?? [example.body as object];
}

export function pathOf({ path }: HttpOperation, names: Names): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? 'x');
}

/** `more` in place of the members that it names, at any depth. */
function merge(base: unknown, more: unknown): unknown {
  if (typeof base !== 'object' || typeof more !== 'object' || base === null || more === null) return more;
  if (Array.isArray(more)) return more.map((item, index) => merge((base as unknown[])[index], item));
  const own = base as Record<string, unknown>;
  const members = Object.entries(more).map(([name, value]) => [name, merge(own[name], value)]);
  return { ...own, ...Object.fromEntries(members) };
}

function jsonOf(value: unknown): { body: string } {
  return { body: JSON.stringify(value) };
}
