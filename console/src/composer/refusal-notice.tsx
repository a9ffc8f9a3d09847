import { TriangleAlert, X } from 'lucide-react';
import { useStore } from '../live/store.ts';
import { Button } from '../parts/button.tsx';
import { t } from '../words/words.ts';
import styles from './composer.module.css';
import { refusals, tellRefusal } from './outbox.ts';
import { refusedMembers } from './refused-member.ts';

/** Why the last send was refused. Its text is in the field again. */
export function RefusalNotice({ conversation_id }: { conversation_id: string }) {
  const failure = useStore(refusals).get(conversation_id);
  if (!failure) return null;
  const known = [...failure.members.keys()].flatMap((name) => refusedMembers[name] ?? []);
  const details = [...failure.members].map(([name, detail]) => `${name}: ${detail}`).join(' ');
  return (
    <div className={styles.notice} data-kind="danger" role="alert">
      <TriangleAlert size={18} aria-hidden />
      <p>
        {known.length > 0 ? known.map((word) => t(word)).join(' ') : failure.sentence}{' '}
        {known.length === 0 && details && <bdi>{details}</bdi>}
      </p>
      <Button look="quiet" aria-label={t('app.close')} onPress={() => tellRefusal(conversation_id, undefined)}>
        <X size={16} aria-hidden />
      </Button>
    </div>
  );
}
