import type { AiAgentState, AiState } from '@majlis/console-api';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { Membership } from '../live/membership.ts';
import { Button } from '../parts/button.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { t } from '../words/words.ts';
import { AgentDialog } from './agent-dialog.tsx';
import { AgentList } from './agent-list.tsx';
import { useAiState } from './ai-data.ts';
import { Budget } from './budget.tsx';
import { KnowledgeSection } from './knowledge-section.tsx';
import { TryKnowledge } from './try-knowledge.tsx';

/** AI agents, what they may spend and what they know. */
export function AiPage({ membership: { workspace_id } }: { membership: Membership }) {
  const state = useAiState(workspace_id);
  const [edited, setEdited] = useState<AiAgentState | 'new'>();
  const create = (
    <Button look="primary" onPress={() => setEdited('new')}>
      <Plus size={18} aria-hidden />
      {t('ai.new')}
    </Button>
  );
  return (
    <Page title={t('nav.ai')} hint={t('ai.hint')} action={create}>
      <Loaded query={state}>
        {(ai) => (
          <>
            <p>{t(wayOf(ai))}</p>
            <AgentList workspace_id={workspace_id} agents={ai.data} onEdit={setEdited} />
            <Budget workspace_id={workspace_id} budget={ai.budget} />
            <KnowledgeSection workspace_id={workspace_id} agents={ai.data} />
            <TryKnowledge workspace_id={workspace_id} agents={ai.data} />
          </>
        )}
      </Loaded>
      {edited && (
        <AgentDialog
          workspace_id={workspace_id}
          state={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Page>
  );
}

/** How agents answer depends on the models that the operator set up. */
function wayOf({ has_model, has_embeddings }: AiState) {
  if (!has_model) return 'ai.without_model';
  return has_embeddings ? 'ai.with_embeddings' : 'ai.with_model';
}
