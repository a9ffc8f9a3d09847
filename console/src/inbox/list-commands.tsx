import { MailQuestionMark, SquareCheck } from 'lucide-react';
import { type KeyboardEvent, useMemo } from 'react';
import { useLocation } from 'wouter';
import { type Command, useCommands } from '../app/commands.ts';
import type { Membership } from '../live/membership.ts';
import { t } from '../words/words.ts';
import { toggleSelected } from './bulk/selection.ts';
import { markUnread } from './mark-unread.ts';
import { type View, viewPath } from './views.ts';

interface Given {
  membership: Membership;
  view: View;
  conversation_id: string | undefined;
  ids: readonly string[];
  /** The row from which the keys move. */
  cursor: string;
  focusRow: (index: number) => void;
}

/** Moves between the rows by keys, and opens them. */
export function useListCommands({ membership, view, conversation_id, ids, cursor, focusRow }: Given): void {
  const [, navigate] = useLocation();
  const commands = useMemo((): Command[] => {
    const move = (id: string, by: number): Command => ({
      id: `list.${id}`,
      label: t(by > 0 ? 'inbox.next' : 'inbox.previous'),
      isKeyOnly: true,
      run() {
        // The first key only shows from where the next ones move.
        const isThere = cursor === conversation_id || document.activeElement?.closest(`[data-id="${cursor}"]`);
        focusRow(ids.indexOf(cursor) + (isThere ? by : 0));
      },
    });
    return [
      move('next', 1),
      move('previous', -1),
      {
        id: 'list.open',
        label: t('inbox.open'),
        isKeyOnly: true,
        run: () => navigate(viewPath(membership.workspace_id, view, cursor)),
      },
      {
        id: 'list.select',
        label: t('bulk.toggle'),
        icon: <SquareCheck size={16} aria-hidden />,
        run: () => toggleSelected(cursor),
      },
      {
        id: 'list.unread',
        label: t('inbox.mark_unread'),
        icon: <MailQuestionMark size={16} aria-hidden />,
        run: () => void markUnread(membership.workspace_id, cursor),
      },
    ];
  }, [ids, cursor, conversation_id, focusRow, membership, navigate, view]);
  useCommands(commands);
}

/** The arrows move too, while a row has the focus. */
export function moveByArrows(
  event: KeyboardEvent,
  index: number,
  count: number,
  focusRow: (index: number) => void,
): void {
  const target = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: count - 1 }[event.key];
  if (target === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  focusRow(target);
}
