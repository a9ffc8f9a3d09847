import type { NotificationSettings, Session } from '@majlis/console-api';
import { useState } from 'react';
import { attempt } from '../app/attempt.ts';
import { useWorkspace } from '../live/directory.ts';
import { useLiveQuery } from '../live/live-query.ts';
import { queries } from '../live/queries.ts';
import { request } from '../live/request.ts';
import { playSound } from '../notices/play-sound.ts';
import { Button } from '../parts/button.tsx';
import { Choice } from '../parts/choice.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Switch } from '../parts/switch.tsx';
import { t } from '../words/words.ts';
import { DesktopPermission } from './desktop-permission.tsx';
import styles from './notifications-page.module.css';
import { QuietHours } from './quiet-hours.tsx';

type Change = Partial<Omit<NotificationSettings, 'quiet_now' | 'quiet_changes_at'>>;

const conversations = ['all', 'mine_and_unassigned', 'mine', 'none'] as const;
const isSettings = ({ kind }: { kind: string }) => kind === 'notification_settings';

/** What notifies the person, and when nothing does. Each workspace has its own. */
export function NotificationsPage({ session: { workspaces } }: { session: Session }) {
  const [chosen, choose] = useState(workspaces[0]!.workspace_id);
  return (
    <Page title={t('person.notifications')} hint={t('person.notifications_hint')}>
      {workspaces.length > 1 && (
        <Choice
          label={t('person.in_workspace')}
          options={workspaces.map(({ workspace_id, workspace_name }) => ({ id: workspace_id, label: workspace_name }))}
          value={chosen}
          onChange={choose}
        />
      )}
      <Settings key={chosen} workspace_id={chosen} />
    </Page>
  );
}

function Settings({ workspace_id }: { workspace_id: string }) {
  const path = `/workspaces/${workspace_id}/notification-settings`;
  const query = useLiveQuery<NotificationSettings>(path, isSettings);
  const zone = useWorkspace(workspace_id)?.timezone ?? 'UTC';
  async function change(body: Change): Promise<void> {
    // A switch follows the finger; a refusal takes it back.
    queries.setQueryData<NotificationSettings>([path], (before) => before && { ...before, ...body });
    try {
      queries.setQueryData([path], await request<NotificationSettings>('PATCH', path, body));
    } catch (error) {
      void queries.invalidateQueries({ queryKey: [path] });
      throw error;
    }
  }
  const set = (body: Change) => void attempt(() => change(body));
  return (
    <Loaded query={query}>
      {(settings) => (
        <>
          <div className={styles.group}>
            <Choice
              label={t('person.conversations')}
              options={conversations.map((id) => ({ id, label: t(`person.conversations_${id}`) }))}
              value={settings.conversations}
              onChange={(id) => set({ conversations: id })}
            />
            <Switch
              label={t('person.mentions')}
              isSelected={settings.mentions}
              onChange={(mentions) => set({ mentions })}
            />
            <div className={styles.line}>
              <Switch label={t('person.sound')} isSelected={settings.sound} onChange={(sound) => set({ sound })} />
              {settings.sound && (
                <Button look="quiet" onPress={playSound}>
                  {t('person.sound_try')}
                </Button>
              )}
            </div>
          </div>
          <Section title={t('person.desktop')}>
            <DesktopPermission isOn={settings.desktop} onChange={(desktop) => set({ desktop })} />
          </Section>
          <Section title={t('person.quiet')}>
            <QuietHours
              key={JSON.stringify([settings.quiet_hours, settings.timezone])}
              settings={settings}
              workspaceZone={zone}
              change={change}
            />
          </Section>
        </>
      )}
    </Loaded>
  );
}
