import { type AttemptRef, deliverEvent } from '../events/delivery-job.ts';
import type { NewJob } from '../jobs/job.ts';

export interface EndpointRef {
  workspace_id: string;
  endpoint_id: string;
}

/** Removes waiting deliveries of a disabled or deleted endpoint. Group: the endpoint. */
export const tidyEndpoint = 'webhook_endpoints.tidy_endpoint';

/** Sends one admin an e-mail about a disabled endpoint. Group: the workspace. */
export const emailAdmin = 'webhook_endpoints.email_admin';

export interface AdminEmail extends EndpointRef {
  user_id: string;
  /** The address when the endpoint was disabled. */
  url: string;
  /** ISO 8601. */
  failing_since: string;
  disabled_at: string;
}

export function deliverEventJob(ref: AttemptRef, run_at: Date): NewJob {
  const { endpoint_id, workspace_id } = ref;
  return { kind: deliverEvent, group_id: endpoint_id, tenant_id: workspace_id, payload: JSON.stringify(ref), run_at };
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

/** Deletes expired events and attempts every hour. */
export const deleteOld = 'webhook_endpoints.delete_old';
