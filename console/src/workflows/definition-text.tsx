import { useState } from 'react';
import { CopyBox } from '../parts/copy-box.tsx';
import { TextArea } from '../parts/text-area.tsx';
import { t } from '../words/words.ts';
import type { Definition } from './definition.ts';
import styles from './workflows.module.css';

interface Props {
  definition: Definition;
  /** Absent: the text is there to be read. */
  onChange?: (definition: Definition) => void;
}

/** The definition as text, as it stands in a workspace file. */
export function DefinitionText({ definition, onChange }: Props) {
  const [text, setText] = useState(() => JSON.stringify(definition, null, 2));
  const [isFaulty, setFaulty] = useState(false);
  function change(changed: string) {
    setText(changed);
    const read = readDefinition(changed);
    setFaulty(read === undefined);
    if (read) onChange?.(read);
  }
  return (
    <div className={styles.definition} dir="ltr">
      <TextArea
        label={t('workflows.as_text')}
        {...(onChange && { hint: t(isFaulty ? 'workflows.not_json' : 'workflows.as_text_hint') })}
        rows={24}
        isReadOnly={!onChange}
        value={text}
        onChange={change}
      />
      {!onChange && <CopyBox text={text} label={t('workflows.as_text')} />}
    </div>
  );
}

function readDefinition(text: string): Definition | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isDefinition = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isDefinition && isDrawable(value as Definition) ? (value as Definition) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the lists of steps are lists: the service names all other faults. */
function isDrawable({ steps = [], when = [] }: Definition): boolean {
  return Array.isArray(when) && Array.isArray(steps) && steps.every(isStep);
}

function isStep(step: unknown): boolean {
  if (typeof step !== 'object' || step === null || typeof (step as { do?: unknown }).do !== 'string') return false;
  const { cases = [], else: otherwise, on_refusal, on_timeout, on_error } = step as Record<string, unknown>;
  const lists = [otherwise, on_refusal, on_timeout, on_error].filter(Array.isArray);
  return (
    Array.isArray(cases) &&
    cases.every(
      (one) => typeof one === 'object' && one !== null && isDrawable({ trigger: '', when: one.when, steps: one.steps }),
    ) &&
    lists.every((list) => list.every(isStep))
  );
}
