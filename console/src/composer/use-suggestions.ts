import type { CannedReply, CannedReplyVariable, LiveChange, LiveRemoval } from '@majlis/console-api';
import type { Conversation } from '@majlis/contract';
import { useQuery } from '@tanstack/react-query';
import { useReread } from '../live/live-query.ts';
import type { Membership } from '../live/membership.ts';
import { request } from '../live/request.ts';
import { sessionStore } from '../live/session.ts';
import { useUsers } from '../live/users.ts';
import { useOutsideHours } from '../live/working-hours.ts';
import { currentLanguage, t } from '../words/words.ts';
import { foldForSearch, type Trigger } from './find-trigger.ts';
import { firstNameOf } from './people.ts';

/** An entry of the list that `/` or `@` opens. */
export interface Suggestion {
  id: string;
  title: string;
  detail?: string;
  /** Replaces the sign and what follows it. */
  text: string;
}

/** What is offered. While the answer is awaited, nobody knows whether something fits. */
export interface Suggestions {
  state: 'waiting' | 'known' | 'unreadable';
  list: readonly Suggestion[];
}

const waiting: Suggestions = { state: 'waiting', list: [] };
const unreadable: Suggestions = { state: 'unreadable', list: [] };
const known = (list: readonly Suggestion[]): Suggestions => ({ state: 'known', list });

const mostShown = 8;

export function useSuggestions(
  trigger: Trigger | undefined,
  membership: Membership,
  conversation: Conversation,
): Suggestions {
  const base = `/workspaces/${membership.workspace_id}`;
  const isCanned = trigger?.type === 'canned';
  const prefix = isCanned ? trigger.prefix : '';
  useReread(`${base}/canned-replies`, isOfCannedReply);
  const { data, isPlaceholderData, isError } = useQuery({
    queryKey: [`${base}/canned-replies`, prefix],
    queryFn: () => {
      const query = new URLSearchParams({ limit: String(mostShown), ...(prefix && { prefix }) });
      return request<{ data: CannedReply[] }>('GET', `${base}/canned-replies?${query}`);
    },
    enabled: isCanned,
    placeholderData: (before) => before,
  });
  const emoji = useQuery({
    queryKey: ['emoji', currentLanguage()],
    queryFn: async () => (await import('./emoji/find-emoji.ts')).loadEmoji(currentLanguage()),
    enabled: trigger?.type === 'emoji',
    staleTime: Number.POSITIVE_INFINITY,
  });
  const people = useUsers(membership.workspace_id);
  const outside = useOutsideHours(membership.workspace_id, trigger?.type === 'mention');
  if (!trigger) return waiting;
  if (trigger.type === 'emoji') {
    if (!emoji.data) return emoji.isError ? unreadable : waiting;
    const found = emoji.data.find(trigger.prefix, mostShown);
    return known(found.map(([sign, name]) => ({ id: sign, title: sign, detail: name, text: sign })));
  }
  if (isCanned) {
    if (!data) return isError ? unreadable : waiting;
    // Until the answer is there, those of the letters before that fit. None of these is no answer.
    const found = data.data.filter(({ name }) => !isPlaceholderData || isFound(name, prefix));
    if (found.length === 0 && isPlaceholderData) return waiting;
    return known(
      found.map(({ id, name, body }) => {
        const text = fillVariables(body, membership, conversation);
        return { id, title: `/${name}`, detail: text, text };
      }),
    );
  }
  const wanted = foldForSearch(trigger.prefix);
  const found = people
    .filter(({ id, name }) => name && id !== membership.user_id && foldForSearch(name).startsWith(wanted))
    .slice(0, mostShown);
  return known(
    found.map(({ id, name = '' }) => ({
      ...{ id, title: name, text: `@${firstNameOf(name)} ` },
      ...(outside.has(id) && { detail: t('work_hours.outside') }),
    })),
  );
}

const isOfCannedReply = ({ kind }: LiveChange | LiveRemoval) => kind === 'canned_reply';

const isFound = (name: string, prefix: string) => foldForSearch(name).startsWith(foldForSearch(prefix));

/** A name that is not known leaves nothing behind, so that no customer reads a variable. */
export function fillVariables(
  body: string,
  { workspace_name }: Membership,
  { contact_name = '' }: Conversation,
): string {
  const state = sessionStore.get();
  const own = state.type === 'signed_in' ? state.session.person.name : '';
  const values: Record<CannedReplyVariable, string> = {
    'contact.name': contact_name,
    'contact.first_name': firstNameOf(contact_name),
    'agent.name': own,
    'agent.first_name': firstNameOf(own),
    'workspace.name': workspace_name,
  };
  return body.replace(/\{\{\s*([\w.]+)\s*\}\}/g, (whole, name: string) => values[name as CannedReplyVariable] ?? whole);
}
