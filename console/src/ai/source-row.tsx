import type { AiAgentState, KnowledgeSourceState } from '@majlis/console-api';
import { CircleAlert, CircleCheck, Clock, RefreshCw, Trash2, Users } from 'lucide-react';
import { attempt } from '../app/attempt.ts';
import { request } from '../live/request.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Row, Soft } from '../parts/list.tsx';
import { isolated } from '../words/isolated.ts';
import { fullTime, t } from '../words/words.ts';
import styles from './ai.module.css';
import { aiChanged, sourcesPath } from './ai-data.ts';

const icons = { waiting: Clock, indexed: CircleCheck, failed: CircleAlert };

interface Props {
  workspace_id: string;
  source: KnowledgeSourceState;
  agents: readonly AiAgentState[];
  onOpen: (dialog: 'delete' | 'agents') => void;
}

/** A knowledge source: its state, who may use it, and what can be done. */
export function SourceRow({ workspace_id, source, agents, onOpen }: Props) {
  const { id, type, name, status, error, passages, indexed_at } = source;
  const Icon = icons[status];
  async function reindex() {
    await attempt(() => request('POST', `${sourcesPath(workspace_id)}/${id}/reindex`));
    await aiChanged(workspace_id);
  }
  return (
    <Row
      start={<Icon size={18} className={styles.icon} data-status={status} aria-hidden />}
      title={
        <>
          <bdi {...(type === 'url' && { dir: 'ltr' })}>{name}</bdi>
          <Badge kind={status === 'failed' ? 'warning' : status === 'indexed' ? 'accent' : 'plain'}>
            {t(`ai.source_${status}`)}
          </Badge>
        </>
      }
      end={
        <>
          {agents.length > 0 && (
            <Button look="quiet" onPress={() => onOpen('agents')} aria-label={t('ai.agents_of', { name })}>
              <Users size={16} aria-hidden />
            </Button>
          )}
          {type !== 'text' && (
            <Button
              look="quiet"
              isDisabled={status === 'waiting'}
              onPress={reindex}
              aria-label={t('ai.reindex_of', { name })}
            >
              <RefreshCw size={16} aria-hidden />
            </Button>
          )}
          <Button look="quiet" onPress={() => onOpen('delete')} aria-label={t('ai.delete_of', { name })}>
            <Trash2 size={16} aria-hidden />
          </Button>
        </>
      }
    >
      <Soft>
        {t(`ai.type_${type}`)}
        {' · '}
        {t('ai.passages', { count: passages })}
        {indexed_at && ` · ${t('ai.indexed', { time: fullTime(indexed_at) })}`}
        {' · '}
        {agentNames(source, agents)}
      </Soft>
      {error !== undefined && (
        <p className={styles.fault}>
          {t('ai.source_error', { reason: isolated(error) })} {passages > 0 && t('ai.source_kept')}
        </p>
      )}
    </Row>
  );
}

function agentNames({ ai_agent_ids }: KnowledgeSourceState, agents: readonly AiAgentState[]): string {
  if (ai_agent_ids === null) return t('ai.used_by_all');
  if (ai_agent_ids.length === 0) return t('ai.used_by_none');
  const names = new Map(agents.map(({ agent }) => [agent.id, isolated(agent.name)]));
  return t('ai.used_by', { names: ai_agent_ids.map((id) => names.get(id) ?? id).join(t('ai.comma')) });
}
