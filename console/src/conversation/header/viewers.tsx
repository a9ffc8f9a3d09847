import type { Membership } from '../../live/membership.ts';
import { usePresences } from '../../live/presences.ts';
import { useUsers } from '../../live/users.ts';
import { Avatar } from '../../parts/avatar.tsx';
import { isolated } from '../../words/isolated.ts';
import { t } from '../../words/words.ts';
import styles from '../conversation-header.module.css';

const mostShown = 3;

/** The colleagues who have the conversation open. */
export function Viewers({ membership, conversation_id }: { membership: Membership; conversation_id: string }) {
  const presences = usePresences(membership, conversation_id);
  const users = useUsers(membership.workspace_id);
  if (presences.length === 0) return null;
  const names = presences.map(({ user_id }) => users.find(({ id }) => id === user_id)?.name ?? '');
  const label = t('panel.viewing', { names: names.map((name) => isolated(name)).join(t('panel.comma')) });
  return (
    <span className={styles.viewers} role="img" aria-label={label} title={label}>
      {names.slice(0, mostShown).map((name, index) => (
        <Avatar key={presences[index]!.user_id} name={name} size="s" />
      ))}
      {names.length > mostShown && <span className={styles.more}>+{names.length - mostShown}</span>}
    </span>
  );
}
