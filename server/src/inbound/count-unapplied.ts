import type { Logger } from 'pino';
import type { PlatformItem } from '../platform/items.ts';
import { webhookFields } from '../platform/webhook/fields.ts';
import type { Metrics } from '../process/metrics.ts';

const hourMs = 3_600_000;

/**
 * Counts what the platform reported and the service does not apply, by its field, and tells each field once an hour in the log. A
 * field that is in no catalogue counts as `other`.
 */
export function createCountUnapplied(metrics: Metrics, log: Logger, nowMs: () => number) {
  const told = new Map<string, number>();
  return (items: readonly PlatformItem[]): void => {
    for (const item of items) {
      if (item.type !== 'ignored') continue;
      const field = item.field ?? '';
      const name = Object.hasOwn(webhookFields, field) ? field : 'other';
      metrics.unapplied.inc({ field: name });
      if (nowMs() - (told.get(name) ?? -hourMs) < hourMs) continue;
      told.set(name, nowMs());
      const { reason } = item;
      log.info({ field, reason }, 'the platform reported what the service does not apply; it is kept as it came');
    }
  };
}
