import type { BusinessHoursState } from '@majlis/console-api';
import { useState } from 'react';
import { useLiveQuery } from '../../live/live-query.ts';
import { settingsChanged } from '../../live/queries.ts';
import { request } from '../../live/request.ts';
import { Badge } from '../../parts/badge.tsx';
import { Form } from '../../parts/form.tsx';
import { Soft } from '../../parts/list.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Section } from '../../parts/page.tsx';
import { Switch } from '../../parts/switch.tsx';
import { TextArea } from '../../parts/text-area.tsx';
import { tell } from '../../parts/toasts.ts';
import { t } from '../../words/words.ts';
import { isSettings } from '../is-settings.ts';
import { type ClosedDay, ClosedDays } from './closed-days.tsx';
import { usualWeek, WeeklyHours } from './weekly-hours.tsx';
import styles from './workspace.module.css';

/** When the business answers, and what customers get outside of it. */
export function HoursSection({ workspace_id }: { workspace_id: string }) {
  const hours = useLiveQuery<BusinessHoursState>(`/workspaces/${workspace_id}/business-hours`, isSettings);
  return (
    <Section title={t('hours.title')}>
      <Loaded query={hours}>
        {(state) => <HoursForm key={state.version} workspace_id={workspace_id} state={state} />}
      </Loaded>
    </Section>
  );
}

function HoursForm({ workspace_id, state }: { workspace_id: string; state: BusinessHoursState }) {
  const { hours, timezone, open_now, version } = state;
  const [isOn, setOn] = useState(hours !== undefined);
  const [weekly, setWeekly] = useState(hours?.weekly ?? usualWeek);
  const [days, setDays] = useState<ClosedDay[]>(
    (hours?.closed_days ?? []).map((day, index) => ({ key: index, date: day.date, name: day.name ?? '' })),
  );
  const [isAway, setAway] = useState(hours?.away_message !== undefined);
  const [away, setAwayText] = useState(hours?.away_message ?? '');

  async function send() {
    const closed_days = days.map(({ date, name }) => ({ date, ...(name.trim() !== '' && { name: name.trim() }) }));
    const chosen = { weekly, closed_days, ...(isAway && away.trim() !== '' && { away_message: away.trim() }) };
    const body = { version, hours: isOn ? chosen : null };
    await request('PUT', `/workspaces/${workspace_id}/business-hours`, body);
    tell(t('app.saved'));
    settingsChanged(workspace_id);
  }
  return (
    <div className={styles.hours}>
      <Soft>
        {t('hours.hint')} {t('hours.zone', { zone: `\u2066${timezone}\u2069` })}
      </Soft>
      <Form submit={t('app.save')} send={send}>
        <div className={styles.line}>
          <Switch label={t('hours.on')} isSelected={isOn} onChange={setOn} />
          {hours && (
            <Badge kind={open_now ? 'accent' : 'plain'}>{t(open_now ? 'hours.open_now' : 'hours.closed_now')}</Badge>
          )}
        </div>
        {isOn && (
          <>
            <WeeklyHours weekly={weekly} onChange={setWeekly} />
            <ClosedDays days={days} onChange={setDays} />
            <Switch label={t('hours.away')} isSelected={isAway} onChange={setAway} />
            {isAway && (
              <TextArea
                label={t('hours.away_text')}
                hint={t('hours.away_hint')}
                name="hours/away_message"
                rows={3}
                maxLength={4_096}
                isRequired
                value={away}
                onChange={setAwayText}
              />
            )}
          </>
        )}
      </Form>
    </div>
  );
}
