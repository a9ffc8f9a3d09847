/** The kind of the jobs that post one event to one webhook endpoint. The group is the endpoint, the tenant its workspace. Each job is written with its event. */
export const deliverEvent = 'webhook_endpoints.deliver_event';

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
