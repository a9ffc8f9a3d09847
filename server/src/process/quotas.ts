import type { readerOf } from './setting-reader.ts';

/** What a workspace may have of one kind: things, and bytes of all of them together. */
export interface Quota {
  count: number;
  bytes: number;
}

const mib = 1_048_576;

/**
 * The kinds of things that a workspace makes, with neutral bounds far above what people make. Nearly all of them are listed without
 * pages, and the bytes keep such an answer from stopping the service for others.
 */
const defaults = {
  custom_fields: { count: 500, bytes: 2 * mib },
  tags: { count: 10_000, bytes: mib },
  stages: { count: 500, bytes: mib },
  closing_categories: { count: 500, bytes: mib },
  templates: { count: 10_000, bytes: 8 * mib },
  webhook_endpoints: { count: 1_000, bytes: 2 * mib },
  broadcasts: { count: 1_000, bytes: 16 * mib },
  knowledge_sources: { count: 1_000, bytes: 1_024 * mib },
  workflows: { count: 1_000, bytes: 64 * mib },
  ai_agents: { count: 200, bytes: 4 * mib },
  channels: { count: 200, bytes: mib },
  teams: { count: 1_000, bytes: 4 * mib },
  members: { count: 10_000, bytes: 8 * mib },
  invitations: { count: 1_000, bytes: mib },
  api_keys: { count: 1_000, bytes: 2 * mib },
  saved_views: { count: 100, bytes: mib },
  canned_replies: { count: 1_000, bytes: 8 * mib },
  scheduled_messages: { count: 5_000, bytes: 16 * mib },
  proposals: { count: 5_000, bytes: 16 * mib },
} as const satisfies Record<string, Quota>;

export type QuotaKind = keyof typeof defaults;
export type Quotas = Readonly<Record<QuotaKind, Quota>>;
export const quotaKinds = Object.keys(defaults) as QuotaKind[];

/** `CUSTOM_FIELDS_MAX`, `CUSTOM_FIELDS_BYTES_MAX` and so on. */
export function readQuotas(read: ReturnType<typeof readerOf>): Quotas {
  const entries = quotaKinds.map((kind): [QuotaKind, Quota] => {
    const name = kind.toUpperCase();
    const { count, bytes } = defaults[kind];
    return [
      kind,
      {
        count: read.number(`${name}_MAX`, count, 1, 1_000_000),
        bytes: read.number(`${name}_BYTES_MAX`, bytes, 1_024, 1_048_576 * mib),
      },
    ];
  });
  return Object.fromEntries(entries) as Quotas;
}
