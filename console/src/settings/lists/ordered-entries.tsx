import type { ListEntryState, ListState } from '@majlis/console-api';
import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react';
import { useState } from 'react';
import { attempt } from '../../app/attempt.ts';
import { queries, settingsChanged } from '../../live/queries.ts';
import { request } from '../../live/request.ts';
import { Button } from '../../parts/button.tsx';
import { tell } from '../../parts/toasts.ts';
import { isolated } from '../../words/isolated.ts';
import { t } from '../../words/words.ts';
import styles from './lists.module.css';

interface Props {
  workspace_id: string;
  order: string;
  list: ListState;
  onEdit: (entry: ListEntryState) => void;
  onDelete: (entry: ListEntryState) => void;
}

/** The entries in their order. It changes by dragging, or by two buttons for each entry. */
export function OrderedEntries({ workspace_id, order, list, onEdit, onDelete }: Props) {
  const [dragged, setDragged] = useState<string>();
  const [over, setOver] = useState<string>();
  const [isPending, setPending] = useState(false);
  const { data, version } = list;

  async function move(id: string, place: number) {
    const others = data.filter((entry) => entry.id !== id);
    const entry = data.find((one) => one.id === id);
    if (!entry || isPending || place < 0 || place >= data.length || data[place] === entry) return;
    const ids = [...others.slice(0, place), entry, ...others.slice(place)].map((one) => one.id);
    setPending(true);
    await attempt(async () => {
      await request('PUT', `/workspaces/${workspace_id}/${order}`, { version, ids });
      tell(t('lists.moved', { name: isolated(entry.name), place: place + 1, count: data.length }));
    });
    settingsChanged(workspace_id);
    await queries.refetchQueries({
      type: 'active',
      predicate: ({ queryKey }) => String(queryKey[0]).endsWith('-entries'),
    });
    setPending(false);
  }

  return (
    <ol className={styles.entries}>
      {data.map((entry, place) => {
        const { id, name, emoji } = entry;
        const named = (word: string) => `${word}: \u2068${name}\u2069`;
        return (
          <li
            key={id}
            className={styles.entry}
            draggable
            data-dragged={dragged === id || undefined}
            data-over={(over === id && dragged !== id) || undefined}
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = 'move';
              event.dataTransfer.setData('text/plain', name);
              setDragged(id);
            }}
            onDragOver={(event) => {
              if (dragged === undefined) return;
              event.preventDefault();
              setOver(id);
            }}
            onDragEnd={() => {
              setDragged(undefined);
              setOver(undefined);
            }}
            onDrop={(event) => {
              event.preventDefault();
              if (dragged !== undefined) void move(dragged, place);
            }}
          >
            <span className={styles.grip}>
              <GripVertical size={16} aria-hidden />
            </span>
            <span className={styles.name}>
              {emoji && <span aria-hidden>{emoji} </span>}
              <bdi>{name}</bdi>
            </span>
            <span className={styles.end}>
              <Button
                look="quiet"
                aria-label={named(t('lists.up'))}
                isDisabled={place === 0}
                onPress={() => void move(id, place - 1)}
              >
                <ArrowUp size={16} aria-hidden />
              </Button>
              <Button
                look="quiet"
                aria-label={named(t('lists.down'))}
                isDisabled={place === data.length - 1}
                onPress={() => void move(id, place + 1)}
              >
                <ArrowDown size={16} aria-hidden />
              </Button>
              <Button look="quiet" aria-label={named(t('lists.edit'))} onPress={() => onEdit(entry)}>
                {t('lists.edit')}
              </Button>
              <Button look="quiet" aria-label={named(t('lists.delete'))} onPress={() => onDelete(entry)}>
                {t('lists.delete')}
              </Button>
            </span>
          </li>
        );
      })}
    </ol>
  );
}
