import type { Session } from '@majlis/console-api';
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { request } from '../live/request.ts';
import { loadSession } from '../live/session.ts';
import { Button } from '../parts/button.tsx';
import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import { tell } from '../parts/toasts.tsx';
import { useForm } from '../sign-in/use-form.ts';
import { currentLanguage, type Language, languageNames, languages, t } from '../words/words.ts';
import { formStyle, Page } from './page.tsx';

type Theme = 'system' | 'light' | 'dark';
const themes: readonly Theme[] = ['system', 'light', 'dark'];

/** Name, language and appearance of the person. */
export function ProfilePage({ session: { person } }: { session: Session }) {
  const [language, setLanguage] = useState<Language>(currentLanguage());
  const [theme, setTheme] = useState<Theme>((person.theme as Theme | undefined) ?? 'system');
  const { isPending, fault, faultOf, onSubmit } = useForm(async (form) => {
    await request('PATCH', '/profile', { name: form.get('name'), language, theme });
    await loadSession();
    tell(t('app.saved'));
  });
  return (
    <Page title={t('profile.title')} hint={person.email}>
      <Form className={formStyle} onSubmit={onSubmit}>
        {fault && <Notice kind="danger">{fault}</Notice>}
        <Field
          label={t('profile.name')}
          error={faultOf('name')}
          name="name"
          defaultValue={person.name}
          autoComplete="name"
          isRequired
        />
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
        <div>
          <Button type="submit" look="primary" isPending={isPending}>
            {t('app.save')}
          </Button>
        </div>
      </Form>
    </Page>
  );
}
