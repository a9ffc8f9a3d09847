import type { AiAgentState } from '@majlis/console-api';
import { Bot, CirclePause, Pause, Pencil, Play } from 'lucide-react';
import { useState } from 'react';
import { formatCount } from '../analytics/format.ts';
import { attempt } from '../app/attempt.ts';
import { nameOfLanguage } from '../composer/name-of-language.ts';
import { request } from '../live/request.ts';
import { AskDialog } from '../parts/ask-dialog.tsx';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Empty } from '../parts/empty.tsx';
import { List, Row, Soft } from '../parts/list.tsx';
import { Section } from '../parts/page.tsx';
import { isolated } from '../words/isolated.ts';
import { t } from '../words/words.ts';
import styles from './ai.module.css';
import { agentsPath, aiChanged } from './ai-data.ts';

interface Props {
  workspace_id: string;
  agents: readonly AiAgentState[];
  onEdit: (agent: AiAgentState) => void;
}

export function AgentList({ workspace_id, agents, onEdit }: Props) {
  const [paused, setPaused] = useState<AiAgentState>();
  async function setStatus({ agent: { id }, version }: AiAgentState, status: 'active' | 'paused') {
    await request('PATCH', `${agentsPath(workspace_id)}/${id}`, { version, status });
  }
  async function resume(agent: AiAgentState) {
    await attempt(() => setStatus(agent, 'active'));
    await aiChanged(workspace_id);
  }
  if (agents.length === 0) {
    return <Empty icon={<Bot aria-hidden />} title={t('ai.empty')} hint={t('ai.empty_hint')} />;
  }
  return (
    <Section title={t('ai.agents')}>
      <List>
        {agents.map((state) => (
          <AgentRow
            key={state.agent.id}
            state={state}
            onEdit={() => onEdit(state)}
            onPause={() => setPaused(state)}
            onResume={() => resume(state)}
          />
        ))}
      </List>
      {paused && (
        <AskDialog
          title={t('ai.pause_title', { name: isolated(paused.agent.name) })}
          hint={t('ai.pause_hint', { count: paused.conversations })}
          action={t('ai.pause')}
          act={() => setStatus(paused, 'paused').finally(() => aiChanged(workspace_id))}
          onClose={() => setPaused(undefined)}
        />
      )}
    </Section>
  );
}

interface AgentRowProps {
  state: AiAgentState;
  onEdit: () => void;
  onPause: () => void;
  onResume: () => Promise<void>;
}

function AgentRow({ state, onEdit, onPause, onResume }: AgentRowProps) {
  const {
    agent,
    is_active,
    monthly_credits,
    credits_used,
    conversations,
    sources,
    sent,
    handed_over,
    proposes,
    proposed,
  } = state;
  const Icon = is_active ? Bot : CirclePause;
  const isUsedUp = monthly_credits !== null && credits_used >= monthly_credits;
  return (
    <Row
      start={<Icon size={20} className={styles.icon} data-active={is_active} aria-hidden />}
      title={
        <>
          <bdi>{agent.name}</bdi>
          <Badge kind={is_active ? 'accent' : 'warning'}>{statusText(state)}</Badge>
          {proposes && <Badge>{t('ai.proposing')}</Badge>}
          {isUsedUp && <Badge kind="warning">{t('ai.budget_used_up')}</Badge>}
        </>
      }
      end={
        <>
          {is_active ? (
            <Button onPress={onPause} aria-label={t('ai.pause_of', { name: agent.name })}>
              <Pause size={16} aria-hidden />
              {t('ai.pause')}
            </Button>
          ) : (
            <Button onPress={onResume} aria-label={t('ai.resume_of', { name: agent.name })}>
              <Play size={16} data-directional aria-hidden />
              {t('ai.resume')}
            </Button>
          )}
          <Button onPress={onEdit} aria-label={t('ai.edit_of', { name: agent.name })}>
            <Pencil size={16} aria-hidden />
            {t('ai.edit')}
          </Button>
        </>
      }
    >
      <Soft>
        {agent.languages.length > 0 ? agent.languages.map(nameOfLanguage).join(t('ai.comma')) : t('ai.any_language')}
        {' · '}
        {t('ai.sources', { count: sources })}
        {' · '}
        {t('ai.controls', { count: conversations })}
      </Soft>
      <Soft>
        {t('ai.month', { sent, handed_over })}
        {proposed > 0 && ` · ${t('ai.proposed', { count: proposed })}`}
        {' · '}
        {monthly_credits === null
          ? t('ai.credits', { used: formatCount(credits_used) })
          : t('ai.credits_of', { used: formatCount(credits_used), most: formatCount(monthly_credits) })}
      </Soft>
    </Row>
  );
}

/** A workspace file may have given a status of its own. */
function statusText({ agent: { status = 'active' }, is_active }: AiAgentState): string {
  if (is_active) return t('ai.status_active');
  return t(status.toLowerCase() === 'draft' ? 'ai.status_draft' : 'ai.status_paused');
}
