import type { WorkflowDetail } from '@majlis/console-api';
import type { WorkflowStatus } from '@majlis/contract';
import { CirclePause, CirclePlay, PencilRuler } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearch } from 'wouter';
import { queries } from '../live/queries.ts';
import { Failure, request, sentenceOf } from '../live/request.ts';
import { AskDialog } from '../parts/ask-dialog.tsx';
import { BackLink } from '../parts/back-link.tsx';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Notice } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { fullTime, t } from '../words/words.ts';
import type { Definition } from './definition.ts';
import { DryRunView } from './dry-run-view.tsx';
import { EditView, type WorkflowDraft } from './edit-view.tsx';
import { RunsView } from './runs-view.tsx';
import { isolate } from './step-words.ts';
import { VersionsView } from './versions-view.tsx';
import { showWorkflow, statusKinds, statusWords, useWorkflow, workflowPath, workflowsPage } from './workflow-data.ts';
import styles from './workflows.module.css';

const views = ['steps', 'dry-run', 'runs', 'versions'] as const;
type View = (typeof views)[number];
const viewWords = {
  steps: 'workflows.view_steps',
  'dry-run': 'workflows.view_dry_run',
  runs: 'workflows.view_runs',
  versions: 'workflows.view_versions',
} as const;

interface Props {
  workspace_id: string;
  workflow_id: string;
}

/** One workflow: its steps, a dry run, its runs and its versions. */
export function WorkflowPage({ workspace_id, workflow_id }: Props) {
  const workflow = useWorkflow(workspace_id, workflow_id);
  // A draft outlives the views beside the editor, so that a dry run follows it.
  const [draft, setDraft] = useState<WorkflowDraft>();
  const shown = new URLSearchParams(useSearch()).get('view') as View;
  const view = views.includes(shown) ? shown : 'steps';
  const page = `${workflowsPage(workspace_id)}/${workflow_id}`;
  return (
    <Page
      title={workflow.data?.workflow.name ?? t('workflows.title')}
      action={<BackLink href={workflowsPage(workspace_id)}>{t('workflows.back')}</BackLink>}
    >
      <Loaded query={workflow}>
        {(detail) => (
          <>
            <StatusBar workspace_id={workspace_id} detail={detail} />
            <nav className={styles.views} aria-label={t('workflows.views')}>
              {views.map((one) => (
                <Link
                  key={one}
                  href={one === 'steps' ? page : `${page}?view=${one}`}
                  {...(one === view && { 'aria-current': 'page' as const })}
                >
                  {t(viewWords[one])}
                </Link>
              ))}
            </nav>
            {view === 'steps' && (
              <EditView workspace_id={workspace_id} detail={detail} draft={draft} setDraft={setDraft} />
            )}
            {view === 'dry-run' && (
              <DryRunView
                workspace_id={workspace_id}
                workflow_id={workflow_id}
                definition={draft?.definition ?? (detail.definition as unknown as Definition)}
                isDraft={draft !== undefined && draft.past.length > 0}
              />
            )}
            {view === 'runs' && <RunsView workspace_id={workspace_id} workflow_id={workflow_id} />}
            {view === 'versions' && <VersionsView workspace_id={workspace_id} detail={detail} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function StatusBar({ workspace_id, detail }: { workspace_id: string; detail: WorkflowDetail }) {
  const { id, status, version, saved_at, saved_by, running_count } = detail.workflow;
  const [problem, setProblem] = useState<string>();
  const [isEnding, setEnding] = useState(false);
  const path = workflowPath(workspace_id, id);

  async function change(to: WorkflowStatus) {
    setProblem(undefined);
    try {
      const body = { version, expected_status: status, status: to };
      await showWorkflow(workspace_id, await request<WorkflowDetail>('PATCH', path, body));
    } catch (error) {
      if (error instanceof Failure) await queries.invalidateQueries({ queryKey: [path] });
      setProblem(sentenceOf(error));
    }
  }
  return (
    <>
      <div className={styles.bar}>
        <Badge kind={statusKinds[status]}>{t(statusWords[status])}</Badge>
        <span className={styles.soft}>
          {t('workflows.version', { version })}
          {saved_at && ` · ${fullTime(saved_at)}`}
          {saved_at && ` · ${saved_by ? isolate(saved_by.name) : t('workflows.the_file')}`}
          {running_count > 0 && ` · ${t('workflows.running', { count: running_count })}`}
        </span>
        <span className={styles.end}>
          {status !== 'published' && (
            <Button look="primary" onPress={() => void change('published')}>
              <CirclePlay size={16} data-directional aria-hidden />
              {t('workflows.publish')}
            </Button>
          )}
          {status === 'published' && (
            <Button onPress={() => void change('paused')}>
              <CirclePause size={16} aria-hidden />
              {t('workflows.pause')}
            </Button>
          )}
          {status !== 'draft' && (
            <Button look="quiet" onPress={() => (running_count > 0 ? setEnding(true) : void change('draft'))}>
              <PencilRuler size={16} aria-hidden />
              {t('workflows.make_draft')}
            </Button>
          )}
        </span>
      </div>
      {problem && <Notice kind="danger">{problem}</Notice>}
      {isEnding && (
        <AskDialog
          title={t('workflows.make_draft')}
          hint={t('workflows.make_draft_hint', { count: running_count })}
          action={t('workflows.make_draft')}
          act={() => change('draft')}
          onClose={() => setEnding(false)}
        />
      )}
    </>
  );
}
