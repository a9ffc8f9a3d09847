import type { AiAgentState, KnowledgeSourceState } from '@majlis/console-api';
import { useState } from 'react';
import { Failure, request } from '../live/request.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Form } from '../parts/form.tsx';
import { Notice } from '../parts/notice.tsx';
import { tell } from '../parts/toasts.ts';
import { t } from '../words/words.ts';
import { AgentPicker } from './agent-picker.tsx';
import { aiChanged, sourcesPath } from './ai-data.ts';

interface Props {
  workspace_id: string;
  source: KnowledgeSourceState;
  agents: readonly AiAgentState[];
  onClose: () => void;
}

/** Chooses the agents of a source that exists. */
export function SourceAgentsDialog({ workspace_id, source, agents, onClose }: Props) {
  const [{ id, version, ai_agent_ids: before }] = useState(source);
  const [ai_agent_ids, setAgents] = useState<string[] | null>(before);
  const [isStale, setStale] = useState(false);
  async function send() {
    try {
      await request('PATCH', `${sourcesPath(workspace_id)}/${id}`, { version, ai_agent_ids });
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'changed_meanwhile') throw error;
      setStale(true);
      await aiChanged(workspace_id);
      return;
    }
    tell(t('app.saved'));
    await aiChanged(workspace_id);
    onClose();
  }
  return (
    <Dialog title={t('ai.agents_title')} onClose={onClose}>
      <Form place="dialog" submit={t('app.save')} send={send} onCancel={onClose}>
        {isStale && <Notice kind="danger">{t('ai.source_stale')}</Notice>}
        <AgentPicker agents={agents} value={ai_agent_ids} onChange={setAgents} />
      </Form>
    </Dialog>
  );
}
