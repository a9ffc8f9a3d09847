import type { ConsentSettings } from '@majlis/console-api';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Membership } from '../live/membership.ts';
import { queries } from '../live/queries.ts';
import { request } from '../live/request.ts';
import { Form } from '../parts/form.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { TextArea } from '../parts/text-area.tsx';
import { tell } from '../parts/toasts.ts';
import { t } from '../words/words.ts';

/** The texts by which customers withdraw and grant their consent to marketing. */
export function ConsentWordsPage({ membership }: { membership: Membership }) {
  const path = `/workspaces/${membership.workspace_id}/consent-settings`;
  const settings = useQuery({ queryKey: [path], queryFn: () => request<ConsentSettings>('GET', path) });
  async function send(form: FormData) {
    const body = { stop_words: linesOf(form.get('stop_words')), start_words: linesOf(form.get('start_words')) };
    queries.setQueryData([path], await request<ConsentSettings>('PATCH', path, body));
    tell(t('app.saved'));
  }
  return (
    <Page title={t('consent.words_title')} hint={t('consent.words_hint')}>
      <Loaded query={settings}>
        {({ stop_words, start_words }) => (
          // The page begins anew with what the service has stored.
          <Form key={JSON.stringify([stop_words, start_words])} submit={t('app.save')} send={send}>
            <Words
              name="stop_words"
              label={t('consent.stop_words')}
              hint={t('consent.stop_words_hint')}
              words={stop_words}
            />
            <Words
              name="start_words"
              label={t('consent.start_words')}
              hint={t('consent.start_words_hint')}
              words={start_words}
            />
          </Form>
        )}
      </Loaded>
    </Page>
  );
}

function linesOf(value: FormDataEntryValue | null): string[] {
  return String(value)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

interface WordsProps {
  name: keyof ConsentSettings;
  label: string;
  hint: string;
  words: readonly string[];
}

function Words({ name, label, hint, words }: WordsProps) {
  const [text, setText] = useState(words.join('\n'));
  return (
    <TextArea
      name={name}
      label={label}
      hint={hint}
      value={text}
      onChange={setText}
      rows={Math.min(Math.max(words.length + 1, 3), 14)}
    />
  );
}
