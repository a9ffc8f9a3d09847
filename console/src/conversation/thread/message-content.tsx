import type { ThreadMessage } from '@majlis/console-api';
import { MousePointerClick } from 'lucide-react';
import { unreadableText } from '../../words/unreadable-text.ts';
import { t } from '../../words/words.ts';
import { Choices } from './choices.tsx';
import { FormContent } from './form-content.tsx';
import { LocationContent } from './location-content.tsx';
import { MediaContent } from './media-content.tsx';
import styles from './message-content.module.css';
import { MessageText } from './message-text.tsx';
import { OrderContent } from './order-content.tsx';
import { nameOfKindOfMessage } from './people.ts';

interface Props {
  workspace_id: string;
  message: ThreadMessage;
  sender: string;
}

const mediaKinds = new Set(['image', 'video', 'voice', 'file']);

/** What a message says, below the advertisement or the product from which the contact wrote. */
export function MessageContent({ workspace_id, message, sender }: Props) {
  const { referral, deleted_at } = message;
  const origin = referral && (referral.headline ?? referral.body ?? referral.source_url ?? referral.id);
  const content = <ContentOfKind workspace_id={workspace_id} message={message} sender={sender} />;
  if (!origin || deleted_at) return content;
  return (
    <div className={styles.content}>
      <small>
        {t('thread.referral')} <bdi>{origin}</bdi>
      </small>
      {content}
    </div>
  );
}

/** By its kind. */
function ContentOfKind({ workspace_id, message, sender }: Props) {
  const { kind, body, caption, location, interactive, tapped, template, order, answers, form_title, unreadable_type } =
    message;
  const text = body ?? caption;
  if (unreadable_type !== undefined) return <Unreadable type={unreadable_type} />;
  if (message.deleted_at) return <i className={styles.kind}>{t('thread.deleted')}</i>;
  if (mediaKinds.has(kind) || message.media_id) {
    return (
      <div className={styles.content}>
        <MediaContent workspace_id={workspace_id} message={message} sender={sender} />
        {template && <TemplateParts template={template} text={text} />}
        {!template && text && <MessageText text={text} />}
      </div>
    );
  }
  if (template) return <TemplateParts template={template} text={text} />;
  if (location) return <LocationContent location={location} />;
  if (order) return <OrderContent order={order} />;
  if (answers) return <FormContent title={form_title} answers={answers} />;
  if (tapped) {
    return (
      <div className={styles.tapped}>
        <MousePointerClick size={16} role="img" aria-label={t('thread.tapped')} />
        <span>
          <strong dir="auto">{tapped.title}</strong>
          {tapped.description && <small dir="auto">{tapped.description}</small>}
        </span>
      </div>
    );
  }
  return (
    <div className={styles.content}>
      {text ? (
        <MessageText text={text} hasMentions={kind === 'note'} />
      ) : (
        !interactive && <i className={styles.kind}>{nameOfKindOfMessage(kind) || kind}</i>
      )}
      {interactive?.type === 'request_contact_info' && (
        <Choices label={t('thread.buttons')} choices={[{ title: t('thread.number_button') }]} />
      )}
      {interactive && interactive.choices.length > 0 && (
        <Choices
          label={t(interactive.type === 'list' ? 'thread.list' : 'thread.buttons')}
          choices={interactive.choices}
          isList={interactive.type === 'list'}
        />
      )}
    </div>
  );
}

/** Says so in the person's language: the text of the message says it in English. */
function Unreadable({ type }: { type: string }) {
  return (
    <div className={styles.content}>
      <i className={styles.kind}>{unreadableText(type)}</i>
      <small className={styles.kind}>{t('thread.unreadable_hint')}</small>
    </div>
  );
}

interface TemplateProps {
  template: NonNullable<ThreadMessage['template']>;
  text: string | undefined;
}

function TemplateParts({ template, text }: TemplateProps) {
  return (
    <div className={styles.content}>
      {template.header && (
        <strong className={styles.header} dir="auto">
          {template.header}
        </strong>
      )}
      {text && <MessageText text={text} />}
      {template.footer && (
        <p className={styles.footer} dir="auto">
          {template.footer}
        </p>
      )}
      {template.buttons && template.buttons.length > 0 && (
        <Choices label={t('thread.buttons')} choices={template.buttons.map((title) => ({ title }))} />
      )}
    </div>
  );
}
