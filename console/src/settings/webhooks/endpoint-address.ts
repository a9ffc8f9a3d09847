/** Paths of the console's API and of its pages for webhook endpoints. */
export const endpointsPath = (workspace_id: string) => `/workspaces/${workspace_id}/webhook-endpoints`;

export const endpointPath = (workspace_id: string, endpoint_id: string) =>
  `${endpointsPath(workspace_id)}/${endpoint_id}`;

export const endpointPage = (workspace_id: string, endpoint_id: string) => `/w/${workspace_id}/webhooks/${endpoint_id}`;
