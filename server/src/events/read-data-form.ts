import { type EventDataForm, eventDataForms } from '@majlis/contract';
import { invalid } from '../http/reply/refusal.ts';

/** Absent: the contract alone. */
export function readDataForm(text: string | undefined): EventDataForm {
  if (text === undefined) return 'basic';
  const form = eventDataForms.find((form) => form === text);
  if (!form) throw invalid({ detail: `must be one of ${eventDataForms.join(', ')}`, pointer: '/event_data' });
  return form;
}
