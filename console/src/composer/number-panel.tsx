import { useId } from 'react';
import { Choices } from '../conversation/thread/choices.tsx';
import { Button } from '../parts/button.tsx';
import { t } from '../words/words.ts';
import { LaterButton } from './later/later-button.tsx';
import type { LaterMoment } from './later/later-props.ts';
import styles from './panel.module.css';
import { PanelFrame } from './panel-frame.tsx';
import type { PanelProps } from './panel-props.ts';
import { openPanel, writePanel } from './panels.ts';
import { useNowOrLater } from './use-now-or-later.ts';

/** The platform's bound of the text. */
const mostCharacters = 1_024;

/** Asks a customer who hides their number for it, by a button that the platform shows under the text. */
export function NumberPanel(props: PanelProps & { given?: string | undefined }) {
  const { conversation, onClose } = props;
  const sendNowOrLater = useNowOrLater(props);
  const body = props.given ?? t('composer.number_default');
  const textId = useId();
  const text = body.trim();
  const excess = [...text].length - mostCharacters;

  /** Now, or at its time. */
  function send(moment?: LaterMoment): void {
    if (text === '' || excess > 0) return;
    const content = {
      kind: 'interactive' as const,
      body: text,
      interactive: { type: 'request_contact_info' as const },
    };
    const giveBack = () => openPanel(conversation.id, { type: 'number', given: body });
    sendNowOrLater({ content, shown: text, giveBack }, moment);
  }

  return (
    <PanelFrame title={t('composer.number')} onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <div className={styles.sides}>
          <div className={styles.fields}>
            <div className={styles.area}>
              <label htmlFor={textId}>{t('composer.interactive_text')}</label>
              <textarea
                id={textId}
                dir="auto"
                placeholder=" "
                rows={3}
                value={body}
                // biome-ignore lint/a11y/noAutofocus: a person opened the panel to write here
                autoFocus
                onChange={(event) => writePanel(conversation.id, { type: 'number', given: event.target.value })}
              />
              <p className={styles.soft}>{t('composer.number_hint')}</p>
            </div>
          </div>
          <figure className={styles.preview}>
            <figcaption className={styles.soft}>{t('composer.template_preview')}</figcaption>
            <div className={styles.bubble} data-preview>
              <span dir="auto">{text || '…'}</span>
              <Choices label={t('thread.buttons')} choices={[{ title: t('thread.number_button') }]} />
            </div>
          </figure>
        </div>
        <div className={styles.actions}>
          {excess > 0 && <p role="alert">{t('composer.too_long', { count: excess })}</p>}
          <LaterButton
            workspace_id={props.membership.workspace_id}
            gate={props.gate}
            isDisabled={text === '' || excess > 0}
            onChoose={send}
          />
          <Button type="submit" look="primary" isDisabled={!props.isSendable || text === '' || excess > 0}>
            {t('composer.send')}
          </Button>
        </div>
      </form>
    </PanelFrame>
  );
}
