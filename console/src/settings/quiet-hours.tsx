import type { NotificationSettings } from '@majlis/console-api';
import { useState } from 'react';
import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Switch } from '../parts/switch.tsx';
import { tell } from '../parts/toasts.ts';
import { fullTime, t } from '../words/words.ts';
import styles from './notifications-page.module.css';

interface Props {
  settings: NotificationSettings;
  workspaceZone: string;
  change: (body: Partial<Pick<NotificationSettings, 'quiet_hours' | 'timezone'>>) => Promise<void>;
}

const initial = { from: '22:00', until: '07:00' };

/** The hours in which nothing notifies. The service compares them with its own clock. */
export function QuietHours({
  settings: { quiet_hours, timezone, quiet_now, quiet_changes_at },
  workspaceZone,
  change,
}: Props) {
  const [isOn, setOn] = useState(quiet_hours !== null);
  const [zone, setZone] = useState(timezone ?? 'workspace');
  const { from, until } = quiet_hours ?? initial;
  const device = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = [...new Set([device, ...(timezone === null ? [] : [timezone])])];

  async function send(form: FormData) {
    const hours = isOn ? { from: String(form.get('from')), until: String(form.get('until')) } : null;
    await change({ quiet_hours: hours, timezone: zone === 'workspace' ? null : zone });
    tell(t('app.saved'));
  }
  return (
    <div className={styles.group}>
      <p className={styles.hint}>{t('person.quiet_hint')}</p>
      <Form submit={t('app.save')} send={send}>
        <Switch label={t('person.quiet')} isSelected={isOn} onChange={setOn} />
        {isOn && (
          <>
            <div className={styles.hours}>
              <Field label={t('person.quiet_from')} name="from" type="time" defaultValue={from} isRequired ltr />
              <Field label={t('person.quiet_until')} name="until" type="time" defaultValue={until} isRequired ltr />
            </div>
            <Choice
              label={t('person.quiet_zone')}
              options={[
                { id: 'workspace', label: t('person.quiet_zone_workspace', { zone: `\u2066${workspaceZone}\u2069` }) },
                ...zones.map((id) => ({ id, label: id })),
              ]}
              value={zone}
              onChange={setZone}
            />
          </>
        )}
      </Form>
      {quiet_changes_at && (
        <p className={styles.hint} role="status">
          {t(quiet_now ? 'person.quiet_now' : 'person.quiet_next', { time: fullTime(quiet_changes_at) })}
        </p>
      )}
    </div>
  );
}
