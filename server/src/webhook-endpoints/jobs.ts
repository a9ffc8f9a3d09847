import { type AttemptRef, deliverEvent } from '../events/delivery-job.ts';
import type { NewJob } from '../jobs/job.ts';

export interface EndpointRef {
  workspace_id: string;
  endpoint_id: string;
}

/** Takes away what waits for an endpoint that was disabled or deleted. Group: the endpoint. */
export const tidyEndpoint = 'webhook_endpoints.tidy_endpoint';

/** Tells one admin that an endpoint was disabled. Group: the workspace. */
export const emailAdmin = 'webhook_endpoints.email_admin';

export interface AdminEmail extends EndpointRef {
  user_id: string;
  /** As it was when the endpoint was disabled. */
  url: string;
  /** ISO 8601. */
  failing_since: string;
  disabled_at: string;
}

export function deliverEventJob(ref: AttemptRef, run_at: Date): NewJob {
  return { kind: deliverEvent, group_id: ref.endpoint_id, payload: JSON.stringify(ref), run_at };
}

export function tidyEndpointJob({ workspace_id, endpoint_id }: EndpointRef, run_at: Date): NewJob {
  const ref: EndpointRef = { workspace_id, endpoint_id };
  return { kind: tidyEndpoint, group_id: endpoint_id, payload: JSON.stringify(ref), run_at };
}

export function readEndpointRef(payload: string): EndpointRef {
  return JSON.parse(payload) as EndpointRef;
}

export function emailAdminJob(email: AdminEmail, run_at: Date): NewJob {
  return { kind: emailAdmin, group_id: email.workspace_id, payload: JSON.stringify(email), run_at };
}

export function readAdminEmail(payload: string): AdminEmail {
  return JSON.parse(payload) as AdminEmail;
}

/** Deletes events and attempts that are kept no longer, again and again. */
export const deleteOld = 'webhook_endpoints.delete_old';
