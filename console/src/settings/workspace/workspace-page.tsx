import type { WorkspaceState } from '@majlis/console-api';
import { useState } from 'react';
import { useLiveQuery } from '../../live/live-query.ts';
import type { Membership } from '../../live/membership.ts';
import { settingsChanged } from '../../live/queries.ts';
import { request } from '../../live/request.ts';
import { loadSession } from '../../live/session.ts';
import { Choice } from '../../parts/choice.tsx';
import { Field } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Soft } from '../../parts/list.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { tell } from '../../parts/toasts.ts';
import { t } from '../../words/words.ts';
import { isSettings } from '../is-settings.ts';
import { HoursSection } from './hours-section.tsx';
import { countryOptions, languageOptions, zoneOptions } from './places-of-the-world.ts';
import { RetentionSection } from './retention-section.tsx';

/** The workspace itself, when its people answer, and how long it keeps what they wrote. */
export function WorkspacePage({ membership: { workspace_id } }: { membership: Membership }) {
  const settings = useLiveQuery<WorkspaceState>(`/workspaces/${workspace_id}/settings`, isSettings);
  return (
    <Page title={t('workspace.title')} hint={t('workspace.hint')}>
      <Section title={t('workspace.details')}>
        <Loaded query={settings}>
          {(state) => <Details key={state.version} workspace_id={workspace_id} state={state} />}
        </Loaded>
      </Section>
      <HoursSection workspace_id={workspace_id} />
      <RetentionSection workspace_id={workspace_id} />
    </Page>
  );
}

const none = 'none';

function Details({ workspace_id, state: { workspace, version } }: { workspace_id: string; state: WorkspaceState }) {
  const [country, setCountry] = useState(workspace.country ?? none);
  const [timezone, setTimezone] = useState(workspace.timezone ?? none);
  const [language, setLanguage] = useState(workspace.language ?? none);
  const chosen = (value: string) => (value === none ? null : value);
  const unset = { id: none, label: t('workspace.not_set') };

  async function send(form: FormData) {
    await request('PATCH', `/workspaces/${workspace_id}/settings`, {
      version,
      name: String(form.get('name')),
      industry: String(form.get('industry')).trim() || null,
      country: chosen(country),
      timezone: chosen(timezone),
      language: chosen(language),
    });
    tell(t('app.saved'));
    settingsChanged(workspace_id);
    // The navigation shows the name.
    await loadSession();
  }
  return (
    <Form submit={t('app.save')} send={send}>
      <Field label={t('workspace.name')} name="name" isRequired defaultValue={workspace.name} />
      <Field label={t('workspace.industry')} name="industry" defaultValue={workspace.industry ?? ''} />
      <div>
        <Choice
          label={t('workspace.country')}
          options={[unset, ...countryOptions(workspace.country)]}
          value={country}
          onChange={setCountry}
        />
        <Soft>{t('workspace.country_hint')}</Soft>
      </div>
      <div>
        <Choice
          label={t('workspace.timezone')}
          options={[unset, ...zoneOptions(workspace.timezone)]}
          value={timezone}
          onChange={setTimezone}
        />
        <Soft>{t('workspace.timezone_hint')}</Soft>
      </div>
      <Choice
        label={t('workspace.language')}
        options={[unset, ...languageOptions(workspace.language)]}
        value={language}
        onChange={setLanguage}
      />
    </Form>
  );
}
