import type { BroadcastDetails, BroadcastState, LiveChange, LiveRemoval } from '@majlis/console-api';
import type { Channel } from '@majlis/contract';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listenToChanges } from '../live/changes.ts';
import { queries } from '../live/queries.ts';
import { request } from '../live/request.ts';

/** The paths of the API below `/console/v1`, and of the pages. */
export const statesPath = (workspace_id: string) => `/workspaces/${workspace_id}/broadcast-states`;
export const statePath = (workspace_id: string, id: string) => `${statesPath(workspace_id)}/${id}`;
export const broadcastsPage = (workspace_id: string) => `/w/${workspace_id}/broadcasts`;

interface StatesOfPage {
  data: BroadcastState[];
  next_cursor?: string;
}

// A broadcast changes many times a second. People see every number, and the service counts once a second at most.
const betweenReadsMs = 1_000;

/** Reads again what the key names, soon after changes that concern it. */
export function useFollowedBroadcasts(key: readonly string[], broadcast_id?: string): void {
  const [path] = key;
  useEffect(() => {
    let reading: ReturnType<typeof setTimeout> | undefined;
    const concerns = (change: LiveChange | LiveRemoval) =>
      change.kind === 'broadcast' && (broadcast_id === undefined || change.broadcast_id === broadcast_id);
    const end = listenToChanges({
      onChange(change) {
        if (reading !== undefined || !concerns(change)) return;
        reading = setTimeout(() => {
          reading = undefined;
          void queries.invalidateQueries({ queryKey: [path] });
        }, betweenReadsMs);
      },
    });
    return () => {
      end();
      clearTimeout(reading);
    };
  }, [path, broadcast_id]);
}

/** The broadcasts, newest first, with their progress as it comes. */
export function useBroadcastStates(workspace_id: string) {
  const path = statesPath(workspace_id);
  useFollowedBroadcasts([path]);
  return useInfiniteQuery({
    queryKey: [path],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      request<StatesOfPage>(
        'GET',
        pageParam === undefined ? path : `${path}?${new URLSearchParams({ cursor: pageParam })}`,
      ),
    getNextPageParam: ({ next_cursor }) => next_cursor,
    staleTime: 0,
  });
}

export function useBroadcastDetails(workspace_id: string, id: string) {
  const path = statePath(workspace_id, id);
  useFollowedBroadcasts([path], id);
  return useQuery({ queryKey: [path], queryFn: () => request<BroadcastDetails>('GET', path), staleTime: 0 });
}

/** Shows at once what a write of this person answered. */
export function showDetails(workspace_id: string, details: BroadcastDetails): void {
  queries.setQueryData([statePath(workspace_id, details.broadcast.id)], details);
  void queries.invalidateQueries({ queryKey: [statesPath(workspace_id)] });
}

export function useChannels(workspace_id: string) {
  const path = `/workspaces/${workspace_id}/channels`;
  return useQuery({ queryKey: [path], queryFn: () => request<{ data: Channel[] }>('GET', path) });
}

export const nameOfChannel = ({ name, verified_name, display_phone }: Channel, otherwise: string) =>
  name ?? verified_name ?? display_phone ?? otherwise;
