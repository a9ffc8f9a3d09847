import type { ConversationSummary, ReplyCompose, ReplyDraft } from '@majlis/contract';
import { useQuery } from '@tanstack/react-query';
import { NotebookPen, Sparkles, TextCursorInput } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Failure, request, sentenceOf } from '../live/request.ts';
import { Button } from '../parts/button.tsx';
import { Loading } from '../parts/empty.tsx';
import { Notice } from '../parts/notice.tsx';
import { isWord, t } from '../words/words.ts';
import styles from './panel.module.css';
import { PanelFrame } from './panel-frame.tsx';
import type { PanelProps } from './panel-props.ts';

type Tone = NonNullable<ReplyCompose['tone']>;
// A model may think for the whole time that the service gives it.
const answerMs = 120_000;
let count = 0;

/** A question to the service. Its answer belongs to this panel: another panel asks anew. */
function useAnswer<Answer>(path: string, body: object | undefined) {
  const [id] = useState(() => (count += 1));
  return useQuery({
    queryKey: [path, id, body],
    queryFn: () => request<Answer>('POST', path, body, { timeout_ms: answerMs }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** A draft of the next reply, with the sources that it used. Nothing is sent, and nothing is overwritten. */
export function AiDraftPanel(props: PanelProps & { tone?: Tone | undefined }) {
  const { membership, conversation, onClose, onInsert } = props;
  const [asked, setAsked] = useState<ReplyCompose>(props.tone ? { tone: props.tone } : {});
  const [wish, setWish] = useState('');
  const path = `/workspaces/${membership.workspace_id}/conversations/${conversation.id}/ai/compose`;
  const query = useAnswer<ReplyDraft>(path, asked);
  const wishId = useId();
  const { data } = query;
  const drafted = data?.draft.trim() ?? '';
  const ask = () =>
    setAsked({ ...(asked.tone && { tone: asked.tone }), ...(wish.trim() && { instruction: wish.trim() }) });
  return (
    <PanelFrame
      title={t(asked.tone ? `composer.ai_${asked.tone}` : 'composer.ai_draft')}
      onClose={onClose}
      closeLabel={t('composer.ai_dismiss')}
    >
      <Answer query={query} working={t('composer.ai_working')}>
        {data && drafted === '' && <Notice>{t('composer.ai_empty')}</Notice>}
        {data && drafted !== '' && (
          <>
            <p className={styles.draft} dir="auto" data-draft>
              {drafted}
            </p>
            <Sources sources={data.sources} />
            <p className={styles.soft}>{t('composer.ai_check')}</p>
          </>
        )}
      </Answer>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          ask();
        }}
      >
        <div className={styles.area}>
          <label htmlFor={wishId}>{t('composer.ai_wish')}</label>
          <textarea
            id={wishId}
            dir="auto"
            rows={1}
            maxLength={1_000}
            value={wish}
            placeholder={t('composer.ai_wish_hint')}
            onChange={(event) => setWish(event.target.value)}
          />
        </div>
        <div className={styles.actions}>
          <Button type="submit" isDisabled={query.isFetching}>
            <Sparkles size={16} aria-hidden />
            {t('composer.ai_again')}
          </Button>
          <Button
            look="primary"
            isDisabled={drafted === '' || query.isFetching}
            onPress={() => {
              onInsert('reply', drafted);
              onClose?.();
            }}
          >
            <TextCursorInput size={16} aria-hidden />
            {t('composer.ai_insert')}
          </Button>
        </div>
      </form>
    </PanelFrame>
  );
}

function Sources({ sources }: { sources: readonly string[] }) {
  if (sources.length === 0) return <p className={styles.soft}>{t('composer.ai_no_sources')}</p>;
  return (
    <section aria-label={t('composer.ai_sources')}>
      <strong className={styles.soft}>{t('composer.ai_sources')}</strong>
      <ul className={styles.sources}>
        {sources.map((source) => (
          <li key={source}>
            {/^https?:\/\//.test(source) ? (
              <a href={source} target="_blank" rel="noopener noreferrer nofollow">
                <bdi>{source}</bdi>
              </a>
            ) : (
              <bdi>{source}</bdi>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What the conversation is about, the customer's mood and wish. */
export function SummaryPanel({ membership, conversation, onClose, onInsert }: PanelProps) {
  const path = `/workspaces/${membership.workspace_id}/conversations/${conversation.id}/ai/summary`;
  const query = useAnswer<ConversationSummary>(path, undefined);
  const { data } = query;
  const summary = data?.summary ?? '';
  const facts: [string, string][] = data
    ? [
        [t('composer.summary_mood'), moodOf(data.sentiment)],
        [t('composer.summary_wish'), data.intent === 'unknown' ? t('composer.summary_unknown') : data.intent],
      ]
    : [];
  return (
    <PanelFrame title={t('composer.summary_title')} onClose={onClose} closeLabel={t('composer.ai_dismiss')}>
      <Answer query={query} working={t('composer.ai_summing')}>
        {data && (
          <>
            <p className={styles.draft} dir="auto" data-draft>
              {summary}
            </p>
            <dl className={styles.facts}>
              {facts.map(([name, value]) => (
                <div key={name} className={styles.fact}>
                  <dt>{name}</dt>
                  <dd dir="auto">{value}</dd>
                </div>
              ))}
            </dl>
            <div className={styles.actions}>
              <Button
                onPress={() => {
                  const lines = facts.map(([name, value]) => `${name}: ${value}`);
                  onInsert('note', [summary, ...lines].join('\n'));
                  onClose?.();
                }}
              >
                <NotebookPen size={16} aria-hidden />
                {t('composer.summary_to_note')}
              </Button>
            </div>
          </>
        )}
      </Answer>
    </PanelFrame>
  );
}

/** The service states the mood in an English word. */
function moodOf(sentiment: string): string {
  const id = `composer.mood_${sentiment.toLowerCase()}`;
  return isWord(id) ? t(id) : sentiment;
}

interface AnswerProps {
  query: { isFetching: boolean; error: unknown; refetch: () => unknown };
  working: string;
  children: ReactNode;
}

function Answer({ query: { isFetching, error, refetch }, working, children }: AnswerProps) {
  if (isFetching) return <Loading label={working} />;
  if (!error) return children;
  // The operator has not switched the coming operations on.
  const isOff = error instanceof Failure && error.code === 'not_found';
  return (
    <Notice kind="danger" action={!isOff && <Button onPress={() => void refetch()}>{t('app.retry')}</Button>}>
      {isOff ? t('composer.ai_off') : sentenceOf(error)}
    </Notice>
  );
}
