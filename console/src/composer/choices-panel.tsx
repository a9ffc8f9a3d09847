import { useState } from 'react';
import { Button } from '../parts/button.tsx';
import { t } from '../words/words.ts';
import { type ChoicesDraft, findChoicesFault, toChoices } from './check-choices.ts';
import { ChoicesFields, choicesFaultWords, newChoices } from './choices-fields.tsx';
import { LaterButton } from './later/later-button.tsx';
import type { LaterMoment } from './later/later-props.ts';
import styles from './panel.module.css';
import { PanelFrame } from './panel-frame.tsx';
import type { PanelProps } from './panel-props.ts';
import { openPanel, writePanel } from './panels.ts';
import { useNowOrLater } from './use-now-or-later.ts';

/** A message whose answers the customer chooses from, beside its preview. */
export function ChoicesPanel(props: PanelProps & { given?: ChoicesDraft | undefined }) {
  const { conversation, onClose, given: draft = newChoices } = props;
  const sendNowOrLater = useNowOrLater(props);
  const [isTried, setTried] = useState(false);
  const fault = findChoicesFault(draft);

  /** Now, or at its time. */
  function send(moment?: LaterMoment): void {
    setTried(true);
    if (fault) return;
    const content = toChoices(draft);
    const giveBack = () => openPanel(conversation.id, { type: 'choices', given: draft });
    sendNowOrLater({ content, shown: content.body, giveBack }, moment);
  }

  return (
    <PanelFrame title={t('composer.interactive_title')} onClose={onClose}>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <ChoicesFields draft={draft} onChange={(given) => writePanel(conversation.id, { type: 'choices', given })} />
        <div className={styles.actions}>
          {/* What is merely missing is said after the first attempt alone. */}
          {fault && (isTried || !fault.type.startsWith('no_')) && <p role="alert">{choicesFaultWords(fault)}</p>}
          <LaterButton
            workspace_id={props.membership.workspace_id}
            gate={props.gate}
            isDisabled={false}
            onChoose={send}
          />
          <Button type="submit" look="primary" isDisabled={!props.isSendable}>
            {t('composer.send')}
          </Button>
        </div>
      </form>
    </PanelFrame>
  );
}
