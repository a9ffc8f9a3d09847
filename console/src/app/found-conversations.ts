import type { Conversation } from '@majlis/contract';
import { useEffect, useState } from 'react';
import { request } from '../live/request.ts';

const betweenKeysMs = 80;
const fewestLetters = 2;
const mostFound = 6;

/** The id of the workspace that an address is in. */
export function workspaceIn(location: string): string | undefined {
  return /^\/w\/([^/]+)/.exec(location)?.[1];
}

/** The conversations of the workspace whose customer has the name, number or tag. */
export function useFoundConversations(workspace_id: string | undefined, text: string): readonly Conversation[] {
  const [found, setFound] = useState<readonly Conversation[]>([]);
  const q = text.trim();
  useEffect(() => {
    if (!workspace_id || q.length < fewestLetters) return setFound([]);
    let isWanted = true;
    const timer = setTimeout(async () => {
      const query = new URLSearchParams({ q, limit: String(mostFound) });
      const path = `/workspaces/${workspace_id}/conversations?${query}`;
      // Without an answer, the commands are there still.
      const { data } = await request<{ data: Conversation[] }>('GET', path).catch(() => ({ data: [] }));
      if (isWanted) setFound(data);
    }, betweenKeysMs);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [workspace_id, q]);
  return found;
}
