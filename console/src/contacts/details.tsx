import type { Contact } from '@majlis/contract';
import { useStages } from '../live/directory.ts';
import { currentLanguage, t } from '../words/words.ts';
import { ChoiceRow, SwitchRow } from './choice-row.tsx';
import type { ContactAddress } from './contact-data.ts';
import { EditRow } from './edit-row.tsx';
import { memberOf } from './use-edit.ts';

const languages = ['ar', 'en', 'fr', 'fa', 'hi', 'ur', 'tr', 'bn', 'ml', 'tl', 'es', 'de', 'ru', 'zh'];

/** What every contact has. */
export function Details({ address, contact }: { address: ContactAddress; contact: Contact }) {
  const stages = useStages(address.workspace_id);
  const names = new Intl.DisplayNames(currentLanguage(), { type: 'language', fallback: 'code' });
  const codes =
    contact.language && !languages.includes(contact.language) ? [contact.language, ...languages] : languages;
  const row = { address, contact };
  return (
    <>
      <EditRow {...row} label={t('contact.email')} member={memberOf('email')} typed={{ type: 'email', ltr: true }} />
      <ChoiceRow
        {...row}
        label={t('contact.language')}
        member={memberOf('language')}
        options={codes.map((value) => ({ value, label: nameOf(names, value) }))}
      />
      {stages.length > 0 && (
        <ChoiceRow
          {...row}
          label={t('contact.stage')}
          member={memberOf('stage_id')}
          options={stages.map(({ id, name, emoji }) => ({ value: id, label: emoji ? `${emoji} ${name}` : name }))}
        />
      )}
      <SwitchRow {...row} label={t('contact.vip')} member={memberOf('vip')} />
      <SwitchRow {...row} label={t('contact.blocked')} hint={t('contact.blocked_hint')} member={memberOf('blocked')} />
    </>
  );
}

/** A contact may have any text as its language. */
function nameOf(names: Intl.DisplayNames, code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}
