import { useState } from 'react';
import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import { TextArea } from '../parts/text-area.tsx';
import { isolated } from '../words/isolated.ts';
import { t } from '../words/words.ts';
import type { Step } from './definition.ts';
import type { StepField } from './step-fields.ts';
import { useNames } from './use-names.ts';

interface Props {
  workspace_id: string;
  field: StepField;
  step: Step;
  onChange: (value: unknown) => void;
}

/** One member of a step. */
export function StepFieldInput({ field, step, onChange, workspace_id }: Props) {
  const { member, kind, label, hint, ltr = false, options = [], empty } = field;
  const value = step[member];
  const shared = {
    label: t(label),
    name: member,
    ...(hint && { hint: t(hint, { name: '\u2066{{contact.name}}\u2069' }) }),
  };
  const missing = empty === 'null' ? null : undefined;
  const readText = (text: string) => (text === '' && empty ? missing : text);
  switch (kind) {
    case 'names':
      return <NamesInput workspace_id={workspace_id} field={field} value={value} onChange={onChange} />;
    case 'choice': {
      const [first] = options;
      const isSteps = Array.isArray(value);
      return (
        <Choice
          label={t(label)}
          options={options.map((one) => ({ id: one.id, label: t(one.label) }))}
          value={isSteps ? 'steps' : String(value ?? first?.id)}
          onChange={(id) => onChange(id === 'steps' ? (isSteps ? value : []) : id)}
        />
      );
    }
    case 'area':
      return <TextArea {...shared} value={String(value ?? '')} onChange={(text) => onChange(readText(text))} />;
    case 'words':
      return (
        <TextArea
          {...shared}
          rows={3}
          value={Array.isArray(value) ? value.join('\n') : ''}
          onChange={(text) => onChange(text === '' ? missing : text.split('\n'))}
        />
      );
    case 'json':
      return <JsonInput field={field} value={value} onChange={onChange} />;
    default:
      return <Field {...shared} ltr={ltr} value={String(value ?? '')} onChange={(text) => onChange(readText(text))} />;
  }
}

interface InputProps {
  field: StepField;
  value: unknown;
  onChange: (value: unknown) => void;
}

const none = '\u0000none';

/** A name of the workspace, or the one that the definition has already: one with variables, or one that is gone. */
function NamesInput({ workspace_id, field, value, onChange }: InputProps & { workspace_id: string }) {
  const { label, names, empty } = field;
  const known = useNames(workspace_id, names!);
  const current = typeof value === 'string' && value !== '' ? value : undefined;
  const all = [...new Set([...(known ?? []), ...(current === undefined ? [] : [current])])];
  const isGone = (name: string) => known !== undefined && !known.includes(name) && !name.includes('{{');
  return (
    <Choice
      label={t(label)}
      options={[
        ...(empty ? [{ id: none, label: t('workflows.none') }] : []),
        ...all.map((name) => ({
          id: name,
          label: isGone(name) ? t('workflows.name_gone', { name: isolated(name) }) : name,
        })),
      ]}
      value={current ?? (empty ? none : undefined)}
      onChange={(id) => onChange(id === none ? (empty === 'null' ? null : undefined) : id)}
    />
  );
}

/** A value that is no text, written as JSON. What cannot be read yet is not taken over. */
function JsonInput({ field, value, onChange }: InputProps) {
  const { member, label, hint } = field;
  const [text, setText] = useState(() => (value === undefined ? '' : JSON.stringify(value, null, 2)));
  const [isFaulty, setFaulty] = useState(false);
  function change(changed: string) {
    setText(changed);
    if (changed.trim() === '') {
      setFaulty(false);
      return onChange(undefined);
    }
    try {
      onChange(JSON.parse(changed));
      setFaulty(false);
    } catch {
      setFaulty(true);
    }
  }
  return (
    <TextArea
      label={t(label)}
      name={member}
      rows={5}
      {...(isFaulty ? { hint: t('workflows.not_json') } : hint && { hint: t(hint) })}
      value={text}
      onChange={change}
    />
  );
}
