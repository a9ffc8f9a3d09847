import type { Session } from '@majlis/console-api';
import { attempt } from '../app/attempt.ts';
import { queries } from '../live/queries.ts';
import { request } from '../live/request.ts';
import { useUsers } from '../live/users.ts';
import { Section } from '../parts/page.tsx';
import { Switch } from '../parts/switch.tsx';
import { isolated } from '../words/isolated.ts';
import { t } from '../words/words.ts';
import styles from './notifications-page.module.css';
import { WorkingHoursButton } from './working-hours-button.tsx';

type Membership = Session['workspaces'][number];

/** Whether conversations may be assigned to the person by turns, in each of their workspaces. */
export function Availability({ workspaces }: { workspaces: readonly Membership[] }) {
  return (
    <Section title={t('person.availability')}>
      <div className={styles.group}>
        {workspaces.map((membership) => (
          <AvailabilityIn key={membership.workspace_id} membership={membership} isOnly={workspaces.length === 1} />
        ))}
        <p className={styles.hint}>{t('person.available_hint')}</p>
        {workspaces.map(({ workspace_id, user_id, workspace_name }) => (
          <WorkingHoursButton
            key={workspace_id}
            {...{ workspace_id, user_id }}
            {...(workspaces.length > 1 && { label: t('work_hours.open_in', { workspace: isolated(workspace_name) }) })}
          />
        ))}
      </div>
    </Section>
  );
}

function AvailabilityIn({ membership, isOnly }: { membership: Membership; isOnly: boolean }) {
  const { workspace_id, workspace_name, user_id } = membership;
  const own = useUsers(workspace_id).find(({ id }) => id === user_id);
  const path = `/workspaces/${workspace_id}/users`;
  const set = (available: boolean) =>
    void attempt(async () => {
      await request('PUT', `${path}/${user_id}/availability`, { available });
      await queries.invalidateQueries({ queryKey: [path] });
    });
  return (
    <Switch
      label={isOnly ? t('person.available') : t('person.available_in', { workspace: isolated(workspace_name) })}
      isSelected={own?.available ?? false}
      isDisabled={!own}
      onChange={set}
    />
  );
}
