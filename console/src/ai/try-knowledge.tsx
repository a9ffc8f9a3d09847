import type { AiAgentState, KnowledgeSearch } from '@majlis/console-api';
import { useState } from 'react';
import { formatShare } from '../analytics/format.ts';
import { request } from '../live/request.ts';
import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Notice } from '../parts/notice.tsx';
import { Section } from '../parts/page.tsx';
import { t } from '../words/words.ts';
import styles from './ai.module.css';

interface Props {
  workspace_id: string;
  agents: readonly AiAgentState[];
}

const everything = 'all';

/** Asks as a customer would, and shows the passages that an agent gets. */
export function TryKnowledge({ workspace_id, agents }: Props) {
  const [agent, setAgent] = useState(everything);
  const [found, setFound] = useState<KnowledgeSearch>();
  async function send(form: FormData) {
    const body = {
      question: String(form.get('question') ?? ''),
      ...(agent !== everything && { ai_agent_id: agent }),
    };
    setFound(await request<KnowledgeSearch>('POST', `/workspaces/${workspace_id}/knowledge-searches`, body));
  }
  return (
    <Section title={t('ai.try')}>
      <div className={styles.ask}>
        <Form submit={t('ai.try_submit')} send={send}>
          <Field label={t('ai.question')} hint={t('ai.question_hint')} name="question" isRequired maxLength={1_000} />
          {agents.length > 0 && (
            <Choice
              label={t('ai.try_as')}
              options={[
                { id: everything, label: t('ai.try_all') },
                ...agents.map(({ agent: { id, name } }) => ({ id, label: name })),
              ]}
              value={agent}
              onChange={setAgent}
            />
          )}
        </Form>
      </div>
      {found && <Found found={found} />}
    </Section>
  );
}

function Found({ found: { data, by_meaning, quotes } }: { found: KnowledgeSearch }) {
  return (
    <div className={styles.hits}>
      <Notice kind={data.length > 0 ? 'success' : 'info'}>
        {t('ai.found', { count: data.length })} {data.length > 0 && t(by_meaning ? 'ai.by_meaning' : 'ai.by_words')}{' '}
        {quotes && t('ai.would_quote')}
      </Notice>
      <ol className={styles.hits}>
        {data.map(({ source_id, source, text, coverage }) => (
          <li key={`${source_id} ${text}`} className={styles.hit}>
            <div className={styles.hitHead}>
              <bdi>{source}</bdi>
              <span>{t('ai.coverage', { share: formatShare(coverage) })}</span>
            </div>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keys scroll a long passage */}
            <p className={styles.passage} dir="auto" tabIndex={0}>
              {text}
            </p>
          </li>
        ))}
      </ol>
    </div>
  );
}
