import { type AnyEventType, apiVersion } from '@majlis/contract';
import { publicId } from '../database/ids.ts';

export interface Envelope {
  workspace_id: string;
  id: string;
  type: AnyEventType;
  /** ISO 8601. */
  created_at: string;
  data: object;
}

/** Composes the bytes of an event that are stored, signed, posted and shown in the feed. */
export function composeEnvelope({ id, type, created_at, workspace_id, data }: Envelope): string {
  return JSON.stringify({
    id: publicId('event', id),
    type,
    created_at,
    workspace_id: publicId('workspace', workspace_id),
    api_version: apiVersion,
    data,
  });
}
