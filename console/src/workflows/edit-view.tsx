import type { WorkflowDetail } from '@majlis/console-api';
import { Pencil, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { queries } from '../live/queries.ts';
import { Failure, request, sentenceOf } from '../live/request.ts';
import { Button } from '../parts/button.tsx';
import { Choice } from '../parts/choice.tsx';
import { Notice } from '../parts/notice.tsx';
import { tell } from '../parts/toasts.ts';
import { fullTime, t } from '../words/words.ts';
import type { Definition } from './definition.ts';
import { DefinitionText } from './definition-text.tsx';
import { DifferenceList } from './difference.tsx';
import { compareDefinitions } from './edit-definition.ts';
import { Editor } from './editor.tsx';
import { Flow } from './flow.tsx';
import { isolate } from './step-words.ts';
import { markFaults, useFaults } from './use-faults.ts';
import { showWorkflow, workflowPath } from './workflow-data.ts';
import styles from './workflows.module.css';

/** What a person changed and has not saved, and the version that they began with. */
export interface WorkflowDraft {
  base: WorkflowDetail;
  definition: Definition;
  /** Earlier states, for undo. */
  past: Definition[];
}

interface Props {
  workspace_id: string;
  detail: WorkflowDetail;
  draft: WorkflowDraft | undefined;
  setDraft: (draft: WorkflowDraft | undefined) => void;
}

/** The diagram of a workflow and the editor over the same definition. */
export function EditView({ workspace_id, detail, draft, setDraft }: Props) {
  const [form, setForm] = useState<'diagram' | 'text'>('diagram');
  const [problem, setProblem] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const [isStale, setStale] = useState(false);
  const { id } = detail.workflow;
  const stored = detail.definition as unknown as Definition;
  const definition = draft?.definition ?? stored;
  const faults = useFaults(workspace_id, id, definition, draft !== undefined);
  const isChanged = draft !== undefined && draft.past.length > 0;
  const change = (changed: Definition) =>
    draft && setDraft({ ...draft, definition: changed, past: [...draft.past, draft.definition] });

  async function save(version: number) {
    setSaving(true);
    setProblem(undefined);
    const path = workflowPath(workspace_id, id);
    try {
      const saved = await request<WorkflowDetail>('PUT', `${path}/definition`, { version, definition });
      await showWorkflow(workspace_id, saved);
      tell(t('workflows.saved', { version: saved.workflow.version }));
      setDraft(undefined);
      setStale(false);
    } catch (error) {
      if (error instanceof Failure && error.code === 'changed_meanwhile') {
        await queries.invalidateQueries({ queryKey: [path] });
        setStale(true);
      } else setProblem(error instanceof Failure && error.members.size > 0 ? undefined : sentenceOf(error));
    } finally {
      setSaving(false);
    }
  }

  const marks = draft ? markFaults(faults) : new Map();
  return (
    <>
      <div className={styles.bar}>
        <Choice
          label={t('workflows.form')}
          isLabelHidden
          options={[
            { id: 'diagram', label: t('workflows.diagram') },
            { id: 'text', label: t('workflows.as_text') },
          ]}
          value={form}
          onChange={setForm}
        />
        {draft ? (
          <>
            <Button
              look="primary"
              isPending={isSaving}
              isDisabled={!isChanged || faults.length > 0}
              onPress={() => void save(draft.base.workflow.version)}
            >
              {t('workflows.save')}
            </Button>
            <Button
              isDisabled={!isChanged}
              onPress={() => setDraft({ ...draft, definition: draft.past.at(-1)!, past: draft.past.slice(0, -1) })}
            >
              <Undo2 size={16} data-directional aria-hidden />
              {t('workflows.undo')}
            </Button>
            <Button
              look="quiet"
              onPress={() => {
                setDraft(undefined);
                setStale(false);
              }}
            >
              {t(isChanged ? 'workflows.discard' : 'workflows.end_editing')}
            </Button>
          </>
        ) : (
          <Button onPress={() => setDraft({ base: detail, definition: stored, past: [] })}>
            <Pencil size={16} aria-hidden />
            {t('workflows.edit')}
          </Button>
        )}
      </div>
      {draft && faults.length > 0 && <Notice kind="danger">{t('workflows.faults', { count: faults.length })}</Notice>}
      {problem && <Notice kind="danger">{problem}</Notice>}
      {draft && detail.workflow.version > draft.base.workflow.version && (
        <Conflict
          detail={detail}
          draft={draft}
          isStale={isStale}
          onTheirs={() => {
            setDraft(undefined);
            setStale(false);
          }}
          onMine={() => void save(detail.workflow.version)}
        />
      )}
      {draft && form === 'diagram' && (
        <>
          <p className={styles.soft}>{t('workflows.editor_hint')}</p>
          <Editor
            workspace_id={workspace_id}
            workflow_id={id}
            definition={definition}
            marks={marks}
            onChange={change}
          />
        </>
      )}
      {!draft && form === 'diagram' && <Flow definition={definition} />}
      {form === 'text' && (
        <DefinitionText
          key={draft ? 'draft' : detail.workflow.version}
          definition={definition}
          {...(draft && { onChange: change })}
        />
      )}
    </>
  );
}

interface ConflictProps {
  detail: WorkflowDetail;
  draft: WorkflowDraft;
  /** Whether a save was refused, or somebody saved while this person edits. */
  isStale: boolean;
  onTheirs: () => void;
  onMine: () => void;
}

/** Somebody saved another version meanwhile: shows what changed, and lets the person decide. */
function Conflict({ detail, draft, isStale, onTheirs, onMine }: ConflictProps) {
  const { version, saved_by, saved_at } = detail.workflow;
  const difference = compareDefinitions(
    draft.base.definition as unknown as Definition,
    detail.definition as unknown as Definition,
  );
  return (
    <Notice kind={isStale ? 'danger' : 'info'}>
      <p>
        {t('workflows.changed_meanwhile', {
          name: saved_by ? isolate(saved_by.name) : t('workflows.the_file'),
          version,
          time: saved_at ? fullTime(saved_at) : '',
        })}
      </p>
      <DifferenceList difference={difference} />
      <div className={styles.bar}>
        <Button onPress={onTheirs}>{t('workflows.take_theirs')}</Button>
        <Button onPress={onMine}>{t('workflows.save_mine', { version: version + 1 })}</Button>
      </div>
    </Notice>
  );
}
