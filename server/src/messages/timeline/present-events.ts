import type { TimelineStep } from '@majlis/console-api';

/** An event of a message with one attempt to deliver it, if there is any. */
export interface EventRow {
  id: string;
  type: string;
  created_at: Date;
  attempt: number | null;
  tries: number | null;
  listed_at: Date | null;
  delivered_at: Date | null;
  response_status: number | null;
  reason: string | null;
  url: string | null;
}

type Delivery = NonNullable<TimelineStep['deliveries']>[number];

/** One step for each event. Endpoints and their answers are for those who may see them. */
export function presentEvents(rows: readonly EventRow[], sees_endpoints: boolean): TimelineStep[] {
  const steps = new Map<string, TimelineStep>();
  for (const row of rows) {
    const step: TimelineStep = steps.get(row.id) ?? {
      step: 'event',
      at: row.created_at.toISOString(),
      code: row.type,
      ...(sees_endpoints && { deliveries: [] }),
    };
    steps.set(row.id, step);
    const delivery = presentDelivery(row);
    if (delivery) step.deliveries?.push(delivery);
  }
  return [...steps.values()];
}

/** An attempt without an outcome is still to be made. */
function presentDelivery({
  url,
  attempt,
  listed_at,
  delivered_at,
  response_status,
  reason,
}: EventRow): Delivery | undefined {
  if (url === null || attempt === null) return undefined;
  const outcome = delivered_at ? 'delivered' : listed_at ? 'failed' : 'waiting';
  const at = delivered_at ?? listed_at;
  return {
    url,
    attempt,
    outcome,
    ...(at && { at: at.toISOString() }),
    ...(response_status !== null && { response_status }),
    ...(reason !== null && { reason }),
  };
}
