import type { Contact, Conversation } from '@majlis/contract';
import { useEffect, useState } from 'react';
import { useFilter } from 'react-aria-components';
import { request } from '../live/request.ts';

const betweenKeysMs = 80;
const fewestLetters = 2;
const mostFound = 6;

/** The id of the workspace that an address is in. */
export function workspaceIn(location: string): string | undefined {
  return /^\/w\/([^/]+)/.exec(location)?.[1];
}

interface Found {
  q: string;
  data: readonly Conversation[];
}

/** The conversations of the workspace whose customer has the name or the number. */
export function useFoundConversations(workspace_id: string | undefined, text: string): readonly Conversation[] {
  const [found, setFound] = useState<Found>({ q: '', data: [] });
  const { contains } = useFilter({ sensitivity: 'base' });
  const q = text.trim();
  const isSearched = workspace_id !== undefined && q.length >= fewestLetters;
  useEffect(() => {
    if (!isSearched) return;
    let isWanted = true;
    const timer = setTimeout(async () => {
      // Without an answer, the commands are there still.
      const data = await find(workspace_id, q).catch(() => []);
      if (isWanted) setFound({ q, data });
    }, betweenKeysMs);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [workspace_id, q, isSearched]);
  if (!isSearched) return [];
  if (found.q === q) return found.data;
  // Enter opens the first one. Of those that were found by other letters, the ones that have these too are shown still.
  return found.data.filter(({ contact_name, contact_handle }) =>
    [contact_name, contact_handle].some((word) => word && contains(word, q)),
  );
}

// Digits of each language, as people group them.
const isNumber = /^\+?[\p{Nd}\s().-]{3,}$/u;

/** Conversations are found by names alone: a number leads to its contacts, and from them to the latest conversation of each. */
async function find(workspace_id: string, q: string): Promise<Conversation[]> {
  const read = async <T>(path: string) =>
    (await request<{ data: T[] }>('GET', `/workspaces/${workspace_id}/${path}`)).data;
  const query = new URLSearchParams({ q, limit: String(mostFound) });
  if (!isNumber.test(q)) return read(`conversations?${query}`);
  const contacts = await read<Contact>(`contacts?${query}`);
  const found = contacts.map(({ id }) => read<Conversation>(`conversations?contact_id=${id}&limit=1`));
  return (await Promise.all(found)).flat();
}
