import type { Proposal } from '@majlis/console-api';
import { Bot, Check, File, Pencil, SendHorizontal, Workflow, X } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { openDraft } from '../composer/drafts.ts';
import { MessageText } from '../conversation/thread/message-text.tsx';
import { nameOfKindOfMessage } from '../conversation/thread/people.ts';
import { Button } from '../parts/button.tsx';
import { TextArea } from '../parts/text-area.tsx';
import { tell } from '../parts/toasts.ts';
import { isolated } from '../words/isolated.ts';
import { fullTime, listOf, t } from '../words/words.ts';
import { acceptProposal, describeEnd, refuseProposal } from './decide.ts';
import { changeText, editableText, headingOf, isMessage } from './describe.ts';
import { dropEdit, keepEdit, useEdit } from './edits.ts';
import styles from './proposals.module.css';

interface Props {
  workspace_id: string;
  proposal: Proposal;
  /** In the queue: it names the contact, and the keyboard moves between the cards. */
  isInQueue?: boolean;
  onDecided: () => void;
}

/** What an AI agent or a workflow proposes, to whom and why, with the ways to decide it. */
export function ProposalCard({ workspace_id, proposal, isInQueue = false, onDecided }: Props) {
  const { id, state, answers, due_at, created_at } = proposal;
  const Icon = proposal.proposed_by.kind === 'ai_agent' ? Bot : Workflow;
  const heading = headingOf(proposal);
  const isWaiting = state === 'waiting';
  const isEdited = useEdit(id) !== undefined;
  return (
    <article
      className={styles.card}
      data-proposal={id}
      data-waiting={isWaiting || undefined}
      aria-label={`${heading}, ${proposal.contact_name ?? proposal.contact_handle ?? ''}`}
      tabIndex={isInQueue && isWaiting ? 0 : -1}
    >
      <header className={styles.head}>
        <Icon size={18} className={styles.icon} aria-hidden />
        <h2 className={styles.heading}>{heading}</h2>
        <time className={styles.time} dateTime={created_at}>
          {due_at && isWaiting ? t('proposals.due', { time: isolated(fullTime(due_at)) }) : fullTime(created_at)}
        </time>
      </header>
      {isInQueue && <ContactLink workspace_id={workspace_id} proposal={proposal} />}
      {isInQueue && answers && (
        <div className={styles.customer}>
          <span className={styles.soft}>{t('proposals.customer_wrote')}</span>
          <blockquote dir="auto">{answers}</blockquote>
        </div>
      )}
      {isWaiting || isEdited ? (
        <Decision workspace_id={workspace_id} proposal={proposal} onDecided={onDecided} />
      ) : (
        <>
          <Content proposal={proposal} />
          <p className={styles.outcome}>{describeEnd(proposal)}</p>
        </>
      )}
    </article>
  );
}

function ContactLink({ workspace_id, proposal }: Pick<Props, 'workspace_id' | 'proposal'>) {
  const { contact_name, contact_handle, conversation_id } = proposal;
  const name = contact_name ?? contact_handle ?? '';
  return (
    <p className={styles.contact}>
      <span className={styles.soft}>{t(isMessage(proposal) ? 'proposals.to' : 'proposals.in')}</span>{' '}
      <Link
        href={`/w/${workspace_id}/inbox/${conversation_id}`}
        aria-label={t('proposals.open', { name: isolated(name) })}
      >
        <bdi>{name}</bdi>
      </Link>
    </p>
  );
}

function Content({ proposal }: { proposal: Proposal }) {
  const { content, preview, file, sources, proposed_by } = proposal;
  return (
    <>
      <div className={styles.content}>
        {file && (
          <p className={styles.file}>
            <File size={16} aria-hidden />
            <bdi>{file.filename ?? nameOfKindOfMessage(content?.kind ?? 'file')}</bdi>
          </p>
        )}
        {preview && <MessageText text={preview} />}
        {content && !preview && !file && <p>{nameOfKindOfMessage(content.kind)}</p>}
        {!content && <p dir="auto">{changeText(proposal)}</p>}
      </div>
      {proposed_by.kind === 'ai_agent' && (
        <p className={styles.soft}>
          {sources.length === 0
            ? t('proposals.no_source')
            : t('proposals.sources', { names: listOf(sources.map(isolated)) })}
        </p>
      )}
    </>
  );
}

type Mode = 'decide' | 'edit' | 'refuse';

function Decision({ workspace_id, proposal, onDecided }: Omit<Props, 'isInQueue'>) {
  const edit = useEdit(proposal.id);
  // What was written before the card was left stands in it again.
  const [mode, setMode] = useState<Mode>(edit ? 'edit' : 'decide');
  const isEnded = proposal.state !== 'waiting';
  /** What the person began and left: its button is there again, with the focus. */
  const [left, leave] = useState<Mode>();
  const [isPending, setPending] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const text = editableText(proposal);
  const [written, write] = useState(edit?.text ?? text ?? '');
  const [reason, setReason] = useState('');

  async function perform(act: () => Promise<string | undefined>): Promise<void> {
    setPending(true);
    const why = await act();
    setPending(false);
    setRefusal(why);
    if (why === undefined) onDecided();
  }
  const accept = () => perform(() => acceptProposal(workspace_id, proposal));
  const sendMine = () => perform(() => acceptProposal(workspace_id, proposal, written));
  const refuse = () => perform(() => refuseProposal(workspace_id, proposal, reason));
  function goBack() {
    leave(mode);
    setMode('decide');
    dropEdit(proposal.id);
    if (isEnded) onDecided();
  }
  function change(next: string) {
    write(next);
    keepEdit(proposal, next);
  }
  function beginEdit() {
    leave('decide');
    setMode('edit');
    change(written);
  }
  function takeToReply() {
    const { conversation_id } = proposal;
    const draft = openDraft({ workspace_id, conversation_id, kind: 'reply' });
    draft.write([draft.store.get().text.trimEnd(), written].filter(Boolean).join('\n'));
    tell(t('proposals.in_reply'));
    goBack();
  }
  const back = (
    <Button look="quiet" onPress={goBack}>
      {t('proposals.back')}
    </Button>
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is Cancel wherever in the decision the focus is.
    <div
      className={styles.decision}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || mode === 'decide') return;
        event.stopPropagation();
        goBack();
      }}
    >
      {mode === 'edit' ? (
        <TextArea
          label={t('proposals.text')}
          hint={isEnded ? undefined : t('proposals.edited_hint')}
          rows={4}
          value={written}
          maxLength={4_096}
          onChange={change}
          autoFocus={left !== undefined}
        />
      ) : (
        <Content proposal={proposal} />
      )}
      {mode === 'refuse' && (
        <TextArea
          label={t('proposals.reason')}
          rows={2}
          value={reason}
          maxLength={500}
          onChange={setReason}
          autoFocus
        />
      )}
      {(isEnded || refusal !== undefined) && (
        <p className={styles.refusal} role="alert">
          {isEnded ? describeEnd(proposal) : refusal}
        </p>
      )}
      <div className={styles.actions}>
        {mode === 'decide' && (
          <>
            <Button look="primary" data-act="accept" isPending={isPending} onPress={accept}>
              {isMessage(proposal) ? (
                <SendHorizontal size={16} data-directional aria-hidden />
              ) : (
                <Check size={16} aria-hidden />
              )}
              {t(isMessage(proposal) ? 'proposals.accept_send' : 'proposals.accept_do')}
            </Button>
            {text !== undefined && (
              <Button data-act="edit" autoFocus={left === 'edit'} onPress={beginEdit}>
                <Pencil size={16} aria-hidden />
                {t('proposals.edit')}
              </Button>
            )}
            <Button data-act="refuse" autoFocus={left === 'refuse'} onPress={() => setMode('refuse')}>
              <X size={16} aria-hidden />
              {t('proposals.refuse')}
            </Button>
          </>
        )}
        {mode === 'edit' && (
          <>
            {isEnded ? (
              <Button look="primary" onPress={takeToReply}>
                {t('proposals.to_reply')}
              </Button>
            ) : (
              <Button look="primary" isPending={isPending} isDisabled={written.trim() === ''} onPress={sendMine}>
                <SendHorizontal size={16} data-directional aria-hidden />
                {t('proposals.send_edited')}
              </Button>
            )}
            {back}
          </>
        )}
        {mode === 'refuse' && (
          <>
            <Button look="danger" isPending={isPending} onPress={refuse}>
              <X size={16} aria-hidden />
              {t('proposals.refuse_now')}
            </Button>
            {back}
          </>
        )}
      </div>
    </div>
  );
}
