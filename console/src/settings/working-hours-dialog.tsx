import type { AllUserHours, UserHours } from '@majlis/console-api';
import { useState } from 'react';
import { settingsChanged } from '../live/queries.ts';
import { request } from '../live/request.ts';
import { workingHoursPath } from '../live/working-hours.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Form } from '../parts/form.tsx';
import { Soft } from '../parts/list.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Notice } from '../parts/notice.tsx';
import { Switch } from '../parts/switch.tsx';
import { tell } from '../parts/toasts.ts';
import { isolated } from '../words/isolated.ts';
import { t } from '../words/words.ts';
import { useReadNow } from './counted-dialog.tsx';
import { usualWeek, WeeklyHours } from './workspace/weekly-hours.tsx';

interface Props {
  workspace_id: string;
  user_id: string;
  /** Absent: the own hours. */
  name?: string;
  onClose: () => void;
}

/** When a person works. Two people at once overwrite nothing of each other. */
export function WorkingHoursDialog({ workspace_id, user_id, name, onClose }: Props) {
  const hours = useReadNow<AllUserHours>(workingHoursPath(workspace_id));
  const title = name === undefined ? t('work_hours.own') : t('work_hours.of', { name: isolated(name) });
  return (
    <Dialog title={title} onClose={onClose}>
      <Loaded query={hours}>
        {({ timezone, data }) => {
          const entry = data.find((one) => one.user_id === user_id);
          if (!entry) return <Notice>{t('work_hours.gone')}</Notice>;
          return <HoursForm {...{ workspace_id, timezone, entry, onClose }} />;
        }}
      </Loaded>
    </Dialog>
  );
}

interface FormProps {
  workspace_id: string;
  timezone: string;
  entry: UserHours;
  onClose: () => void;
}

function HoursForm({ workspace_id, timezone, entry: given, onClose }: FormProps) {
  // The dialog keeps what the person saw when it opened, so that a change meanwhile is noticed.
  const [{ user_id, version, hours }] = useState(given);
  const [isOn, setOn] = useState(hours !== undefined);
  const [weekly, setWeekly] = useState(hours?.weekly ?? usualWeek);
  async function send() {
    const path = `/workspaces/${workspace_id}/members/${user_id}/working-hours`;
    await request('PUT', path, { version, hours: isOn ? { weekly } : null });
    settingsChanged(workspace_id);
    tell(t('app.saved'));
    onClose();
  }
  return (
    <Form place="dialog" submit={t('app.save')} send={send} onCancel={onClose}>
      <Soft>
        {t('work_hours.hint')} {t('hours.zone', { zone: `\u2066${timezone}\u2069` })}
      </Soft>
      <Switch label={t('work_hours.on')} isSelected={isOn} onChange={setOn} />
      {isOn && <WeeklyHours weekly={weekly} closed={t('work_hours.off')} onChange={setWeekly} />}
    </Form>
  );
}
