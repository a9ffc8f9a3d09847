/** The kind of the jobs that post one event to one webhook endpoint. The group is the endpoint, the tenant its workspace. Each job is written with its event. */
export const deliverEvent = 'webhook_endpoints.deliver_event';

/**
 * The kind of the jobs that write the deliveries of a workspace with many receivers. The group is the workspace. Each job is written
 * with its events.
 */
export const fanOutEvents = 'webhook_endpoints.fan_out_events';

/** Events of one type, and the endpoints that were to get them when they happened. */
export interface FanOut {
  workspace_id: string;
  event_type: string;
  event_ids: string[];
  receivers: { endpoint_id: string; enabled: boolean; term: number }[];
}

export function readFanOut(payload: string): FanOut {
  return JSON.parse(payload) as FanOut;
}

/** Identifies the attempt of a job. */
export interface AttemptRef {
  workspace_id: string;
  event_id: string;
  endpoint_id: string;
  attempt: number;
}

export function readAttemptRef(payload: string): AttemptRef {
  return JSON.parse(payload) as AttemptRef;
}
