import type { AiAgentState, KnowledgeSourceState } from '@majlis/console-api';
import { BookOpenText, Plus } from 'lucide-react';
import { useState } from 'react';
import { request } from '../live/request.ts';
import { AskDialog } from '../parts/ask-dialog.tsx';
import { Button } from '../parts/button.tsx';
import { Empty } from '../parts/empty.tsx';
import { List } from '../parts/list.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { isolated } from '../words/isolated.ts';
import { t } from '../words/words.ts';
import { AddSourceDialog } from './add-source-dialog.tsx';
import styles from './ai.module.css';
import { aiChanged, sourcesPath, useSources } from './ai-data.ts';
import { SourceAgentsDialog } from './source-agents-dialog.tsx';
import { SourceRow } from './source-row.tsx';

interface Props {
  workspace_id: string;
  agents: readonly AiAgentState[];
}

interface Opened {
  dialog: 'delete' | 'agents';
  source: KnowledgeSourceState;
}

/** What agents and drafts may quote. */
export function KnowledgeSection({ workspace_id, agents }: Props) {
  const sources = useSources(workspace_id);
  const [isAdding, setAdding] = useState(false);
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  return (
    <section className={styles.hits} aria-labelledby="knowledge">
      <header className={styles.header}>
        <div>
          <h2 id="knowledge">{t('ai.knowledge')}</h2>
          <p className={styles.soft}>{t('ai.knowledge_hint')}</p>
        </div>
        <Button onPress={() => setAdding(true)}>
          <Plus size={16} aria-hidden />
          {t('ai.add')}
        </Button>
      </header>
      <Loaded query={sources}>
        {(data) =>
          data.length === 0 ? (
            <Empty icon={<BookOpenText aria-hidden />} title={t('ai.no_knowledge')} hint={t('ai.no_knowledge_hint')} />
          ) : (
            <List>
              {data.map((source) => (
                <SourceRow
                  key={source.id}
                  workspace_id={workspace_id}
                  source={source}
                  agents={agents}
                  onOpen={(dialog) => setOpened({ dialog, source })}
                />
              ))}
            </List>
          )
        }
      </Loaded>
      {sources.hasNextPage && (
        <div>
          <Button onPress={() => sources.fetchNextPage()} isPending={sources.isFetchingNextPage}>
            {t('audit.more')}
          </Button>
        </div>
      )}
      {isAdding && <AddSourceDialog workspace_id={workspace_id} agents={agents} onClose={() => setAdding(false)} />}
      {opened?.dialog === 'agents' && (
        <SourceAgentsDialog workspace_id={workspace_id} source={opened.source} agents={agents} onClose={close} />
      )}
      {opened?.dialog === 'delete' && (
        <AskDialog
          title={t('ai.delete_title', { name: isolated(opened.source.name) })}
          hint={t('ai.delete_hint', {
            count: opened.source.passages,
            agents: opened.source.ai_agent_ids?.length ?? agents.length,
          })}
          action={t('ai.delete')}
          act={() =>
            request('DELETE', `${sourcesPath(workspace_id)}/${opened.source.id}`).then(() => aiChanged(workspace_id))
          }
          onClose={close}
        />
      )}
    </section>
  );
}
