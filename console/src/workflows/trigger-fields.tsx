import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import { TextArea } from '../parts/text-area.tsx';
import { t } from '../words/words.ts';
import type { Definition } from './definition.ts';

/** The event that a dry run presumes. */
export interface TriggerValues {
  message?: string;
  variables?: Record<string, string>;
  tag?: string;
  stage?: string;
  previous_stage?: string;
  started_by?: 'customer' | 'business';
}

interface Props {
  definition: Definition;
  values: TriggerValues;
  onChange: (values: TriggerValues) => void;
}

/** What the trigger of the workflow brings with it. */
export function TriggerFields({ definition, values, onChange }: Props) {
  const change = (part: TriggerValues) => onChange({ ...values, ...part });
  switch (definition.trigger) {
    case 'message_received':
    case 'no_reply':
      return (
        <TextArea
          label={t('workflows.dry_message')}
          rows={2}
          value={values.message ?? ''}
          onChange={(message) => change({ message })}
        />
      );
    case 'conversation_created':
      return (
        <Choice
          label={t('workflows.dry_started_by')}
          options={[
            { id: 'customer', label: t('workflows.dry_customer') },
            { id: 'business', label: t('workflows.dry_business') },
          ]}
          value={values.started_by ?? 'customer'}
          onChange={(started_by) => change({ started_by })}
        />
      );
    case 'contact_tagged':
      return <Field label={t('workflows.field_tag')} value={values.tag ?? ''} onChange={(tag) => change({ tag })} />;
    case 'stage_changed':
      return (
        <>
          <Field label={t('workflows.dry_stage')} value={values.stage ?? ''} onChange={(stage) => change({ stage })} />
          <Field
            label={t('workflows.dry_previous_stage')}
            value={values.previous_stage ?? ''}
            onChange={(previous_stage) => change({ previous_stage })}
          />
        </>
      );
    default:
      return <Variables definition={definition} values={values} onChange={onChange} />;
  }
}

/** Those that the definition reads. */
function Variables({ definition, values, onChange }: Props) {
  const found = JSON.stringify(definition).matchAll(/\{\{\s*trigger\.variables\.([\p{L}\p{N}_-]+)/gu);
  const names = [...new Set([...found].map(([, name]) => name!))];
  return names.map((name) => (
    <Field
      key={name}
      label={t('workflows.dry_variable', { name: `\u2066${name}\u2069` })}
      value={values.variables?.[name] ?? ''}
      onChange={(value) => onChange({ ...values, variables: { ...values.variables, [name]: value } })}
    />
  ));
}
