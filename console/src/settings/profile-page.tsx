import type { Session } from '@majlis/console-api';
import { useState } from 'react';
import { request } from '../live/request.ts';
import { loadSession } from '../live/session.ts';
import { tellOtherTabs } from '../live/session-tabs.ts';
import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Page } from '../parts/page.tsx';
import { Switch } from '../parts/switch.tsx';
import { tell } from '../parts/toasts.ts';
import { currentLanguage, type Language, languageNames, languages, t } from '../words/words.ts';
import { Availability } from './availability.tsx';

type Theme = 'system' | 'light' | 'dark';
const themes: readonly Theme[] = ['system', 'light', 'dark'];

/** Name, language, appearance and keyboard of the person. */
export function ProfilePage({ session: { person, workspaces } }: { session: Session }) {
  const [language, setLanguage] = useState<Language>(currentLanguage());
  const [theme, setTheme] = useState<Theme>((person.theme as Theme | undefined) ?? 'system');
  const [single_key_shortcuts, setShortcuts] = useState(person.single_key_shortcuts);
  async function send(form: FormData) {
    await request('PATCH', '/profile', { name: form.get('name'), language, theme, single_key_shortcuts });
    await loadSession();
    tellOtherTabs();
    tell(t('app.saved'));
  }
  return (
    <Page title={t('profile.title')} hint={person.email}>
      <Form submit={t('app.save')} send={send}>
        <Field label={t('profile.name')} name="name" defaultValue={person.name} autoComplete="name" isRequired />
        <Choice
          label={t('profile.language')}
          options={languages.map((id) => ({ id, label: languageNames[id] }))}
          value={language}
          onChange={setLanguage}
        />
        <Choice
          label={t('profile.theme')}
          options={themes.map((id) => ({ id, label: t(`profile.theme_${id}`) }))}
          value={theme}
          onChange={setTheme}
        />
        <Switch label={t('palette.single_keys')} isSelected={single_key_shortcuts} onChange={setShortcuts} />
      </Form>
      {workspaces.length > 0 && <Availability workspaces={workspaces} />}
    </Page>
  );
}
