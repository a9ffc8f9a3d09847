import type { AiAgentState } from '@majlis/console-api';
import { Soft } from '../parts/list.tsx';
import { Switch } from '../parts/switch.tsx';
import { t } from '../words/words.ts';
import styles from './ai.module.css';

interface Props {
  agents: readonly AiAgentState[];
  /** Null for all agents, later ones included. */
  value: readonly string[] | null;
  onChange: (value: string[] | null) => void;
}

/** Chooses which agents may use a source. */
export function AgentPicker({ agents, value, onChange }: Props) {
  const ids = agents.map(({ agent }) => agent.id);
  return (
    <fieldset>
      <legend>{t('ai.who_uses')}</legend>
      <Switch
        label={t('ai.all_agents')}
        isSelected={value === null}
        onChange={(isAll) => onChange(isAll ? null : ids)}
      />
      {value !== null && (
        <div className={styles.switches}>
          {agents.map(({ agent: { id, name } }) => (
            <Switch
              key={id}
              label={name}
              isSelected={value.includes(id)}
              onChange={(isOn) => onChange(ids.filter((one) => (one === id ? isOn : value.includes(one))))}
            />
          ))}
        </div>
      )}
      <Soft>{t('ai.who_uses_hint')}</Soft>
    </fieldset>
  );
}
