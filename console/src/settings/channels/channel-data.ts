import type { ChannelState, LiveChange, LiveRemoval } from '@majlis/console-api';
import { useLiveQuery } from '../../live/live-query.ts';
import type { WordId } from '../../words/word-id.ts';
import { t } from '../../words/words.ts';

export interface ChannelStates {
  data: ChannelState[];
  callback_url: string;
}

/** The paths of the API below `/console/v1`, and of the pages. */
export const statesPath = (workspace_id: string) => `/workspaces/${workspace_id}/channel-states`;
export const channelsPath = (workspace_id: string) => `/workspaces/${workspace_id}/channels`;
export const channelPath = (workspace_id: string, id: string) => `${channelsPath(workspace_id)}/${id}`;
export const channelsPage = (workspace_id: string) => `/w/${workspace_id}/channels`;

const isChannel = ({ kind }: LiveChange | LiveRemoval) => kind === 'channel';

/** The channels with their health, as it changes. */
export function useChannelStates(workspace_id: string) {
  return useLiveQuery<ChannelStates>(statesPath(workspace_id), isChannel);
}

export function nameOf({ channel: { name, verified_name, display_phone } }: ChannelState): string {
  return name ?? verified_name ?? display_phone ?? t('channels.unnamed');
}

const tokenCodes = /^(0|104|190)\b/;
const restrictedCodes = /^(368|131031)\b/;

/** What to do about the reason for which the platform refuses every call. It begins with the platform's number. */
export function adviceOf(trouble: string): WordId {
  if (tokenCodes.test(trouble)) return 'channels.advice_token';
  return restrictedCodes.test(trouble) ? 'channels.advice_restricted' : 'channels.advice_other';
}

export type Health = 'good' | 'trouble' | 'unknown';

/** Whether the platform takes messages. */
export function healthOf({ channel, trouble, secrets_open, disconnected_at }: ChannelState): Health {
  if (disconnected_at) return 'unknown';
  if (trouble !== undefined || !secrets_open) return 'trouble';
  if (channel.status === undefined) return 'unknown';
  return channel.status === 'CONNECTED' ? 'good' : 'trouble';
}
