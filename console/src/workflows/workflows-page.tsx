import type { WorkflowState } from '@majlis/console-api';
import { Plus, Workflow } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Membership } from '../live/membership.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Empty } from '../parts/empty.tsx';
import { List, Row, Soft } from '../parts/list.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { fullTime, t } from '../words/words.ts';
import { NewWorkflowDialog } from './new-workflow-dialog.tsx';
import { isolate } from './step-words.ts';
import { statusKinds, statusWords, triggerText, useWorkflowStates, workflowsPage } from './workflow-data.ts';
import { WorkflowPage } from './workflow-page.tsx';

interface Props {
  membership: Membership;
  object?: string | undefined;
}

/** The workflows of a workspace, or one of them. */
export function WorkflowsPage({ membership: { workspace_id }, object: workflow_id }: Props) {
  return workflow_id === undefined ? (
    <WorkflowsList workspace_id={workspace_id} />
  ) : (
    <WorkflowPage key={workflow_id} workspace_id={workspace_id} workflow_id={workflow_id} />
  );
}

function WorkflowsList({ workspace_id }: { workspace_id: string }) {
  const workflows = useWorkflowStates(workspace_id);
  const [isAdding, setAdding] = useState(false);
  const add = (
    <Button look="primary" onPress={() => setAdding(true)}>
      <Plus size={18} aria-hidden />
      {t('workflows.new')}
    </Button>
  );
  return (
    <Page title={t('workflows.title')} hint={t('workflows.hint')} action={add}>
      <Loaded query={workflows}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon={<Workflow aria-hidden />} title={t('workflows.empty')} hint={t('workflows.empty_hint')} />
          ) : (
            <List>
              {data.map((workflow) => (
                <WorkflowRow key={workflow.id} workspace_id={workspace_id} workflow={workflow} />
              ))}
            </List>
          )
        }
      </Loaded>
      {isAdding && <NewWorkflowDialog workspace_id={workspace_id} onClose={() => setAdding(false)} />}
    </Page>
  );
}

function WorkflowRow({ workspace_id, workflow }: { workspace_id: string; workflow: WorkflowState }) {
  const { id, name, status, trigger, updated_at, saved_by, version, running_count } = workflow;
  return (
    <Row
      start={<Workflow size={18} aria-hidden />}
      title={
        <Link href={`${workflowsPage(workspace_id)}/${id}`}>
          <bdi>{name}</bdi>
        </Link>
      }
      end={<Badge kind={statusKinds[status]}>{t(statusWords[status])}</Badge>}
    >
      <Soft>
        {triggerText(trigger)}
        {running_count > 0 && ` · ${t('workflows.running', { count: running_count })}`}
      </Soft>
      <Soft>
        {t('workflows.last_change', { time: fullTime(updated_at) })}
        {' · '}
        {t('workflows.version', { version })}
        {' · '}
        {saved_by ? isolate(saved_by.name) : t('workflows.the_file')}
      </Soft>
    </Row>
  );
}
