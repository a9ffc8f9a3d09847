import type { Contact, CustomField } from '@majlis/contract';
import { currentLocale, t } from '../words/words.ts';
import { ChoiceRow } from './choice-row.tsx';
import { type ContactAddress, useCustomFields } from './contact-data.ts';
import { EditRow, type Typed } from './edit-row.tsx';
import { fieldOf } from './use-edit.ts';

interface Props {
  address: ContactAddress;
  contact: Contact;
}

/** The custom fields of the workspace, each edited by its type. */
export function CustomFieldRows({ address, contact }: Props) {
  return useCustomFields(address.workspace_id).map((field) => (
    <CustomFieldRow key={field.key} address={address} contact={contact} field={field} />
  ));
}

function CustomFieldRow({ address, contact, field }: Props & { field: CustomField }) {
  const { key, type, options = [] } = field;
  const row = { address, contact, label: field.label ?? key, member: fieldOf(key) };
  switch (type) {
    case 'boolean': {
      const values = [
        { value: true, label: t('contact.yes') },
        { value: false, label: t('contact.no') },
      ];
      return <ChoiceRow {...row} options={values} />;
    }
    case 'select':
      return <ChoiceRow {...row} options={options.map((value) => ({ value, label: value }))} />;
    default:
      return <EditRow {...row} typed={typings[type]} />;
  }
}

const typings: Record<'text' | 'number' | 'date', Typed> = {
  text: { type: 'text' },
  number: { type: 'number', ltr: true, parse: readNumber },
  date: { type: 'date', show: (value) => showDate(String(value)) },
};

/** A number in Latin or Arabic digits. */
function readNumber(text: string): number | undefined {
  const latin = text
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/[\u066c,\s]/g, '')
    .replace('\u066b', '.');
  const number = Number(latin);
  return Number.isFinite(number) ? number : undefined;
}

/** A day is no moment: it is the same in every time zone. */
function showDate(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return day;
  return new Intl.DateTimeFormat(currentLocale(), { dateStyle: 'medium', timeZone: 'UTC' }).format(date);
}
