import { ArrowDown, ArrowUp, CopyPlus, Ellipsis, MoveRight, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Failure } from '../live/request.ts';
import { AskDialog } from '../parts/ask-dialog.tsx';
import { Button } from '../parts/button.tsx';
import { Menu } from '../parts/menu.tsx';
import { Notice } from '../parts/notice.tsx';
import { t } from '../words/words.ts';
import { type Definition, listSteps, type Step, type StepKind, stepKinds, stepPointerOf } from './definition.ts';
import { insertStep, moveStep, placeOf, removeStep, replaceStep, shiftStep } from './edit-definition.ts';
import { faultText } from './fault-words.ts';
import { Flow, type StepMark } from './flow.tsx';
import { StepDialog } from './step-dialog.tsx';
import { newStep } from './step-fields.ts';
import { kindText } from './step-words.ts';
import { TriggerDialog } from './trigger-dialog.tsx';
import { checkDefinition } from './use-faults.ts';
import styles from './workflows.module.css';

interface Props {
  workspace_id: string;
  workflow_id: string;
  definition: Definition;
  marks: ReadonlyMap<string, readonly StepMark[]>;
  onChange: (definition: Definition) => void;
}

type Opened =
  | { type: 'trigger' }
  | { type: 'change'; pointer: string; step: Step }
  | { type: 'add'; list: string; index: number; step: Step }
  | { type: 'delete'; pointer: string; inside: number };

/** The diagram with the means to change it: by pointer, by touch and by keys alike. */
export function Editor({ workspace_id, workflow_id, definition, marks, onChange }: Props) {
  const [opened, open] = useState<Opened>();
  const [moving, setMoving] = useState<string>();
  const close = () => open(undefined);

  /** Takes a step over unless the service finds faults in it. */
  async function accept(changed: Definition, pointer: string): Promise<void> {
    const { faults } = await checkDefinition(workspace_id, workflow_id, changed);
    const own = faults.filter((fault) => stepPointerOf(fault.pointer) === pointer);
    if (own.length > 0) {
      const members = own.map((fault): [string, string] => [
        fault.pointer.slice(pointer.length + 1),
        faultText(fault.detail),
      ]);
      throw new Failure('unprocessable_content', new Map(members));
    }
    onChange(changed);
  }

  function shift(pointer: string, by: -1 | 1): void {
    const moved = shiftStep(definition, pointer, by);
    if (!moved) return;
    onChange(moved.definition);
    focusStep(moved.pointer);
  }

  function remove(pointer: string): void {
    onChange(removeStep(definition, pointer));
    const { list, index } = placeOf(pointer);
    focusStep(`${list}/${Math.max(0, index - 1)}`);
  }

  function act(action: string, pointer: string, step: Step): void {
    const { list, index } = placeOf(pointer);
    const inside = listSteps([step]).length - 1;
    const actions: Record<string, () => void> = {
      up: () => shift(pointer, -1),
      down: () => shift(pointer, 1),
      move: () => setMoving(pointer),
      copy() {
        const { name: _name, ...copy } = structuredClone(step);
        onChange(insertStep(definition, list, index + 1, copy as Step));
      },
      delete: () => (inside > 0 ? open({ type: 'delete', pointer, inside }) : remove(pointer)),
    };
    actions[action]?.();
  }

  const entries = [
    { id: 'up', label: t('workflows.move_up'), icon: <ArrowUp size={16} aria-hidden /> },
    { id: 'down', label: t('workflows.move_down'), icon: <ArrowDown size={16} aria-hidden /> },
    { id: 'move', label: t('workflows.move_elsewhere'), icon: <MoveRight size={16} data-directional aria-hidden /> },
    { id: 'copy', label: t('workflows.duplicate'), icon: <CopyPlus size={16} aria-hidden /> },
    { id: 'delete', label: t('workflows.delete'), icon: <Trash2 size={16} aria-hidden /> },
  ];
  const kinds = stepKinds.map((id) => ({ id, label: kindText(id) }));

  return (
    <>
      {moving !== undefined && (
        <Notice action={<Button onPress={() => setMoving(undefined)}>{t('app.cancel')}</Button>}>
          {t('workflows.moving_hint')}
        </Notice>
      )}
      <Flow
        definition={definition}
        marks={marks}
        editing={{
          trigger: (
            <Button look="quiet" aria-label={t('workflows.change_start')} onPress={() => open({ type: 'trigger' })}>
              <Pencil size={16} aria-hidden />
            </Button>
          ),
          actions: (pointer, step) => (
            <div className={styles.stepActions}>
              <Button
                look="quiet"
                aria-label={t('workflows.change_step', { kind: kindText(step.do) })}
                onPress={() => open({ type: 'change', pointer, step })}
              >
                <Pencil size={16} aria-hidden />
              </Button>
              <Menu
                label={t('workflows.step_actions', { kind: kindText(step.do) })}
                entries={entries}
                onAction={(action) => act(action, pointer, step)}
              >
                <Ellipsis size={16} aria-hidden />
              </Menu>
            </div>
          ),
          gap: (list, index) =>
            moving === undefined ? (
              <div className={styles.gap}>
                <Menu
                  label={t('workflows.add_step', { number: index + 1 })}
                  entries={kinds}
                  onAction={(kind) => open({ type: 'add', list, index, step: newStep(kind as StepKind) })}
                >
                  <Plus size={16} aria-hidden />
                </Menu>
              </div>
            ) : (
              <MoveHere
                moved={moveStep(definition, moving, list, index)}
                onMove={(moved) => {
                  setMoving(undefined);
                  onChange(moved.definition);
                  focusStep(moved.pointer);
                }}
              />
            ),
          onKeyDown(event, pointer) {
            if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
            event.preventDefault();
            shift(pointer, event.key === 'ArrowUp' ? -1 : 1);
          },
        }}
      />
      {opened?.type === 'trigger' && (
        <TriggerDialog definition={definition} onSave={(changed) => accept(changed, '')} onClose={close} />
      )}
      {opened?.type === 'change' && (
        <StepDialog
          workspace_id={workspace_id}
          step={opened.step}
          onSave={(step) => accept(replaceStep(definition, opened.pointer, step), opened.pointer)}
          onClose={close}
        />
      )}
      {opened?.type === 'add' && (
        <StepDialog
          workspace_id={workspace_id}
          step={opened.step}
          onSave={(step) =>
            accept(insertStep(definition, opened.list, opened.index, step), `${opened.list}/${opened.index}`)
          }
          onClose={close}
        />
      )}
      {opened?.type === 'delete' && (
        <AskDialog
          title={t('workflows.delete_title')}
          hint={t('workflows.delete_hint', { count: opened.inside })}
          action={t('workflows.delete')}
          act={async () => remove(opened.pointer)}
          onClose={close}
        />
      )}
    </>
  );
}

interface MoveHereProps {
  /** Undefined inside the step that moves. */
  moved: ReturnType<typeof moveStep>;
  onMove: (moved: NonNullable<ReturnType<typeof moveStep>>) => void;
}

function MoveHere({ moved, onMove }: MoveHereProps) {
  if (!moved) return null;
  return (
    <div className={styles.here}>
      <Button onPress={() => onMove(moved)}>{t('workflows.move_here')}</Button>
    </div>
  );
}

/** The focus follows a step that moved. */
function focusStep(pointer: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-step="${pointer}"] button`)?.focus());
}
