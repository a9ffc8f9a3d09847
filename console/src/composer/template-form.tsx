import type { Quote } from '@majlis/console-api';
import type { Template } from '@majlis/contract';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { request } from '../live/request.ts';
import { Button } from '../parts/button.tsx';
import { t } from '../words/words.ts';
import { LaterButton } from './later/later-button.tsx';
import type { LaterMoment } from './later/later-props.ts';
import { MessagePrice } from './message-price.tsx';
import styles from './panel.module.css';
import type { PanelProps } from './panel-props.ts';
import { openPanel, type TemplateChoice, type WrittenValues, writePanel } from './panels.ts';
import { TemplateFields } from './template-fields.tsx';
import { refusalWords } from './template-list.tsx';
import { refusalOf } from './template-refusal.ts';
import { useNowOrLater } from './use-now-or-later.ts';
import { composeTemplate, useTemplateDraft } from './use-template-draft.ts';

interface Props extends PanelProps {
  template: Template;
  /** The platform or a colleague has withdrawn it meanwhile. */
  isGone: boolean;
  choice: TemplateChoice;
  onBack: () => void;
}

/** The values of a template, beside the message as the customer will see it. */
export function TemplateForm({ template, isGone, choice, onBack, ...props }: Props) {
  const { membership, conversation, gate, onClose } = props;
  const { workspace_id } = membership;
  const { written, file: upload } = choice;
  const panelWith = (next: WrittenValues) => ({
    type: 'templates' as const,
    template: { ...choice, chosen: template, written: next },
  });
  const onWrite = (next: WrittenValues) => writePanel(conversation.id, panelWith(next));
  const draft = useTemplateDraft({ workspace_id, conversation, template, written, upload, onWrite });
  const refusal = isGone ? 'template_not_found' : refusalOf(template, gate);
  // What else refuses it may have changed until then.
  const isRefusedLater = isGone || refusal === 'opt_in';
  const sendNowOrLater = useNowOrLater({ ...props, isSendable: refusal === undefined, onClose: onClose ?? onBack });
  const price = useTemplatePrice(workspace_id, conversation.id, template);
  const { isComplete, values } = draft;

  /** Now, or at its time. */
  function send(moment?: LaterMoment): void {
    if (!isComplete || (moment && isRefusedLater)) return;
    const giveBack = () => openPanel(conversation.id, panelWith({ ...values }));
    sendNowOrLater({ ...composeTemplate(draft), giveBack }, moment);
  }

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <TemplateFields draft={draft} />
      <div className={styles.actions}>
        {refusal ? <p role="status">{refusalWords(refusal)}</p> : <MessagePrice price={price} />}
        <Button onPress={onBack}>
          <ArrowLeft size={16} data-directional aria-hidden />
          {t('composer.template_back')}
        </Button>
        <LaterButton
          workspace_id={workspace_id}
          gate={gate}
          isTemplate
          isDisabled={!isComplete || isRefusedLater}
          onChoose={send}
        />
        <Button type="submit" look="primary" isDisabled={!isComplete || refusal !== undefined}>
          {t('composer.template_send')}
        </Button>
      </div>
    </form>
  );
}

function useTemplatePrice(workspace_id: string, conversation_id: string, { name, language }: Template) {
  const path = `/workspaces/${workspace_id}/quote`;
  const body = { conversation_id, template: { name, language } };
  return useQuery({ queryKey: [path, body], queryFn: () => request<Quote>('POST', path, body), staleTime: 0 }).data;
}
