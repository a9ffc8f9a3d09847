import type { ReadMark } from '@majlis/console-api';
import { useEffect, useState } from 'react';
import { markRow, rows } from '../../inbox/rows.ts';
import { Failure, request } from '../../live/request.ts';
import { placeOf } from '../../live/thread-window.ts';

interface Options {
  workspace_id: string;
  conversation_id: string;
  /** The newest message of the customer, if the end of the thread is loaded and in view. */
  in_view: string | undefined;
}

const afterFailureMs = 5_000;

/**
 * Answers what the person had read when they opened the conversation, and undefined until that is known; without a value, they
 * had read everything. Marks what is in view as read, while the person looks at this tab.
 */
export function useReadMark({ workspace_id, conversation_id, in_view }: Options): { readUpTo?: string } | undefined {
  // The list has most marks, so that a thread in memory is shown at once.
  const [opened, setOpened] = useState(() => openedBy(rows.get(conversation_id)));
  const isKnown = opened !== undefined;

  useEffect(() => {
    if (isKnown) return;
    let isOver = false;
    const query = new URLSearchParams({ conversation_ids: conversation_id });
    void request<{ data: ReadMark[] }>('GET', `/workspaces/${workspace_id}/read-marks?${query}`)
      .then(({ data: [mark] }) => mark)
      // The thread is shown without its line.
      .catch(() => undefined)
      .then((mark) => {
        if (isOver) return;
        setOpened(openedBy({ own_unread_count: mark?.unread_count ?? 0, ...mark }));
      });
    return () => {
      isOver = true;
    };
  }, [workspace_id, conversation_id, isKnown]);

  const marked = opened?.marked;
  useEffect(() => {
    // What a person marks as unread again stays so until a newer message comes.
    if (in_view === undefined || marked === undefined || placeOf(in_view) <= placeOf(marked)) return;
    let isOver = false;
    let isAsking = false;
    let timer: ReturnType<typeof setTimeout> | undefined;

    async function mark() {
      if (isOver || isAsking || document.visibilityState !== 'visible' || !document.hasFocus()) return;
      isAsking = true;
      try {
        const path = `/workspaces/${workspace_id}/conversations/${conversation_id}/read-mark`;
        const mark = await request<ReadMark>('PUT', path, { last_read_message_id: in_view });
        markRow(conversation_id, mark.unread_count, mark.last_read_message_id);
        if (!isOver) setOpened((before) => before && { ...before, marked: in_view! });
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        if (error.code !== 'not_found') timer = setTimeout(mark, afterFailureMs);
      }
      isAsking = false;
    }

    void mark();
    addEventListener('focus', mark);
    document.addEventListener('visibilitychange', mark);
    return () => {
      isOver = true;
      clearTimeout(timer);
      removeEventListener('focus', mark);
      document.removeEventListener('visibilitychange', mark);
    };
  }, [workspace_id, conversation_id, in_view, marked]);

  return opened;
}

interface Opened {
  /** Absent where nothing was unread. */
  readUpTo?: string;
  marked: string;
}

function openedBy(mark: { own_unread_count: number; last_read_message_id?: string } | undefined): Opened | undefined {
  if (!mark) return undefined;
  const marked = mark.last_read_message_id ?? '';
  return mark.own_unread_count > 0 ? { readUpTo: marked, marked } : { marked };
}
