import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import { TextArea } from '../parts/text-area.tsx';
import { t } from '../words/words.ts';
import type { Condition } from './definition.ts';
import { conditionText, type Operator, operatorOf, operators } from './step-words.ts';
import styles from './workflows.module.css';

interface Props {
  label: string;
  conditions: readonly Condition[];
  onChange: (conditions: Condition[]) => void;
}

/** Conditions that must all hold. One with several operators or with parts is written as text. */
export function ConditionsFields({ label, conditions, onChange }: Props) {
  // A condition is known by its place; an own key keeps its fields when one before it is deleted.
  const [keys, setKeys] = useState(() => conditions.map((_, index) => index));
  const next = Math.max(-1, ...keys) + 1;
  return (
    <fieldset className={styles.conditions}>
      <legend>{label}</legend>
      {conditions.length === 0 && <p className={styles.soft}>{t('workflows.always')}</p>}
      {conditions.map((condition, index) => {
        const change = (changed: Condition) => onChange(conditions.with(index, changed));
        return (
          <div key={keys[index]} className={styles.condition}>
            {isSimple(condition) ? (
              <SimpleCondition condition={condition} onChange={change} />
            ) : (
              <WrittenCondition condition={condition} onChange={change} />
            )}
            <Button
              look="quiet"
              aria-label={t('workflows.delete_condition', { number: index + 1 })}
              onPress={() => {
                setKeys(keys.toSpliced(index, 1));
                onChange(conditions.toSpliced(index, 1));
              }}
            >
              <Trash2 size={16} aria-hidden />
            </Button>
          </div>
        );
      })}
      <div>
        <Button
          onPress={() => {
            setKeys([...keys, next]);
            onChange([...conditions, { value: '{{contact.language}}', equals: 'ar' }]);
          }}
        >
          <Plus size={16} aria-hidden />
          {t('workflows.add_condition')}
        </Button>
      </div>
    </fieldset>
  );
}

function isSimple(condition: Condition): boolean {
  const { value, ...others } = condition;
  return typeof value === 'string' && Object.keys(others).length === 1 && operatorOf(condition) !== undefined;
}

interface OneProps {
  condition: Condition;
  onChange: (condition: Condition) => void;
}

function SimpleCondition({ condition, onChange }: OneProps) {
  const operator = operatorOf(condition)!;
  const [operand, setOperand] = useState(() => operandText(condition[operator]));
  const value = String(condition.value);
  return (
    <div className={styles.comparison}>
      <Field
        label={t('workflows.condition_value')}
        ltr
        value={value}
        onChange={(changed) => onChange({ ...condition, value: changed })}
      />
      <Choice
        label={t('workflows.condition_operator')}
        options={operators.map((id) => ({ id, label: t(`workflows.op_${id}`) }))}
        value={operator}
        onChange={(changed) => onChange({ value, [changed]: readOperand(changed, operand) })}
      />
      {operator === 'exists' ? (
        <Choice
          label={t('workflows.condition_operand')}
          options={[
            { id: 'true', label: t('workflows.yes') },
            { id: 'false', label: t('workflows.no') },
          ]}
          value={String(condition.exists !== false)}
          onChange={(changed) => onChange({ value, exists: changed === 'true' })}
        />
      ) : (
        <Field
          label={t('workflows.condition_operand')}
          value={operand}
          onChange={(changed) => {
            setOperand(changed);
            onChange({ value, [operator]: readOperand(operator, changed) });
          }}
        />
      )}
    </div>
  );
}

const operandText = (operand: unknown) => (Array.isArray(operand) ? operand.join(', ') : String(operand));

/** Several texts stand behind each other with commas, of either script. */
function readOperand(operator: Operator, text: string): unknown {
  const parts = text
    .split(/[,،]/)
    .map((part) => part.trim())
    .filter(Boolean);
  switch (operator) {
    case 'exists':
      return text !== 'false';
    case 'greater_than':
    case 'less_than':
      return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
    case 'one_of':
      return parts;
    case 'contains':
      return parts.length > 1 ? parts : text;
    default:
      return text;
  }
}

function WrittenCondition({ condition, onChange }: OneProps) {
  const [text, setText] = useState(() => JSON.stringify(condition, null, 2));
  return (
    <div className={styles.written}>
      <p className={styles.soft}>{conditionText(condition)}</p>
      <TextArea
        label={t('workflows.condition_written')}
        rows={4}
        value={text}
        onChange={(changed) => {
          setText(changed);
          const read = readObject(changed);
          if (read) onChange(read);
        }}
      />
    </div>
  );
}

function readObject(text: string): Condition | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Condition) : undefined;
  } catch {
    return undefined;
  }
}
