/** Posts one event to one webhook endpoint. Group: the endpoint. Its jobs are written with the event. */
export const deliverEvent = 'webhook_endpoints.deliver_event';

/** Which attempt a job is to make. */
export interface AttemptRef {
  workspace_id: string;
  event_id: string;
  endpoint_id: string;
  attempt: number;
}

export function readAttemptRef(payload: string): AttemptRef {
  return JSON.parse(payload) as AttemptRef;
}
