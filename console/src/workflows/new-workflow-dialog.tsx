import type { WorkflowDetail } from '@majlis/console-api';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { request } from '../live/request.ts';
import { Choice } from '../parts/choice.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Soft } from '../parts/list.tsx';
import { t } from '../words/words.ts';
import { definitionOf, type StartingPoint, startingPoints } from './starting-points.ts';
import { showWorkflow, workflowsPage, workflowsPath } from './workflow-data.ts';

interface Props {
  workspace_id: string;
  onClose: () => void;
}

/** Makes a workflow as a draft, empty or from a starting point. */
export function NewWorkflowDialog({ workspace_id, onClose }: Props) {
  const [point, setPoint] = useState<StartingPoint>('empty');
  const [, navigate] = useLocation();
  async function send(form: FormData) {
    const body = { name: String(form.get('name')), definition: definitionOf(point) };
    const made = await request<WorkflowDetail>('POST', workflowsPath(workspace_id), body);
    await showWorkflow(workspace_id, made);
    navigate(`${workflowsPage(workspace_id)}/${made.workflow.id}`);
  }
  return (
    <Dialog title={t('workflows.new')} onClose={onClose}>
      <Form place="dialog" submit={t('workflows.create')} send={send} onCancel={onClose}>
        <Field label={t('workflows.name')} hint={t('workflows.name_is_final')} name="name" isRequired autoFocus />
        <Choice
          label={t('workflows.starting_point')}
          options={startingPoints.map((id) => ({
            id,
            label: t(`workflows.point_${id}`),
            hint: t(`workflows.point_${id}_hint`),
          }))}
          value={point}
          onChange={setPoint}
        />
        <Soft>{t(`workflows.point_${point}_hint`)}</Soft>
      </Form>
    </Dialog>
  );
}
