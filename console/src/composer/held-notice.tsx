import { Users } from 'lucide-react';
import type { Membership } from '../live/membership.ts';
import { useUsers } from '../live/users.ts';
import { Button } from '../parts/button.tsx';
import { isolated } from '../words/isolated.ts';
import { t } from '../words/words.ts';
import styles from './composer.module.css';
import { decide, usePending } from './outbox.ts';
import { firstNameOf, nameOf } from './people.ts';

interface Props {
  membership: Membership;
  conversation_id: string;
  onShow: (message_id: string) => void;
}

/** A colleague replied before this message: the person decides whether it is still right. */
export function HeldNotice({ membership, conversation_id, onShow }: Props) {
  const held = usePending(conversation_id).find(({ state }) => state === 'held');
  const people = useUsers(membership.workspace_id);
  if (!held?.unseen) return null;
  const { key, unseen } = held;
  const name = firstNameOf(nameOf(people, unseen.user_id));
  return (
    <div className={styles.notice} data-kind="warning" role="alert">
      <Users size={18} aria-hidden />
      <p>
        <strong>
          {name ? t('composer.colleague_replied', { name: isolated(name) }) : t('composer.somebody_replied')}
        </strong>{' '}
        {t('composer.colleague_replied_hint')}
      </p>
      <Button
        onPress={() => {
          decide(key, 'withdraw');
          onShow(unseen.message_id);
        }}
      >
        {t('composer.show_reply')}
      </Button>
      <Button look="primary" onPress={() => decide(key, 'send')}>
        {t('composer.send_anyway')}
      </Button>
    </div>
  );
}
