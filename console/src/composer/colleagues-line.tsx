import { Eye, PenLine } from 'lucide-react';
import type { Membership } from '../live/membership.ts';
import { usePresences } from '../live/presences.ts';
import { useUsers } from '../live/users.ts';
import { isolated } from '../words/isolated.ts';
import { t } from '../words/words.ts';
import styles from './composer.module.css';
import { firstNameOf, nameOf } from './people.ts';

/** Who else is in the conversation, those who write before those who look. */
export function ColleaguesLine({ membership, conversation_id }: { membership: Membership; conversation_id: string }) {
  const colleagues = usePresences(membership, conversation_id);
  const people = useUsers(membership.workspace_id);
  const typing = colleagues.find((colleague) => colleague.typing);
  const [first] = typing ? [typing] : colleagues;
  const name = first && isolated(firstNameOf(nameOf(people, first.user_id)));
  return (
    <p className={styles.colleagues} data-typing={typing !== undefined || undefined} role="status">
      {typing && name && (
        <>
          <PenLine size={14} aria-hidden />
          {t(`composer.typing_${typing.typing!}`, { name })}
        </>
      )}
      {!typing && name && (
        <>
          <Eye size={14} aria-hidden />
          {colleagues.length > 1
            ? t('composer.viewing_many', { count: colleagues.length })
            : t('composer.viewing', { name })}
        </>
      )}
    </p>
  );
}
