import type { Conversation } from '@majlis/contract';
import { OneLine } from '../parts/one-line.tsx';
import { t } from '../words/words.ts';
import styles from './conversation-header.module.css';

interface Props {
  conversation: Conversation;
  /** The name of the channel, once it is known. */
  channel: string | undefined;
}

/** Whose conversation it is, and on which channel. */
export function Who({ conversation: { contact_name, contact_handle }, channel }: Props) {
  return (
    <div className={styles.who}>
      <h2 className={styles.name}>
        <OneLine isCode={!contact_name && contact_handle !== undefined}>
          {contact_name ?? contact_handle ?? t('inbox.unnamed')}
        </OneLine>
      </h2>
      <p className={styles.address}>
        {contact_name && contact_handle && (
          <span>
            <bdi dir="ltr">{contact_handle}</bdi>
          </span>
        )}
        {channel && (
          <span>
            <bdi>{channel}</bdi>
          </span>
        )}
      </p>
    </div>
  );
}
