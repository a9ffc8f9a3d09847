import { createContext, use } from 'react';
import { t } from '../words/words.ts';

/** Sentences of single fields, by their names. */
export type Faults = Readonly<Record<string, string>>;

export const FaultsContext = createContext<{ faults: Faults; forget(name: string): void }>({
  faults: {},
  forget() {},
});

/** The sentence of the form for a field. A field forgets its sentence when it changes. */
export function useFault(name: string | undefined): { fault: string | undefined; forget(): void } {
  const { faults, forget } = use(FaultsContext);
  return { fault: name === undefined ? undefined : faults[name], forget: () => name !== undefined && forget(name) };
}

type Control = HTMLInputElement | HTMLTextAreaElement;

/** What the fields of a form lack, in the language of the console: the browser's own sentences have the browser's. */
export function findFaults(form: HTMLFormElement): Faults {
  const controls = [...form.elements].filter((element): element is Control => element.matches('input, textarea'));
  const faulty = controls.filter(({ name, validity }) => name !== '' && !validity.valid);
  return Object.fromEntries(faulty.toReversed().map((control) => [control.name, sentenceFor(control)]));
}

export function focusFirst(form: HTMLFormElement, faults: Faults): void {
  const first = [...form.elements].find((element) => (element.getAttribute('name') ?? '') in faults);
  if (first instanceof HTMLElement) first.focus();
}

function sentenceFor({ validity, type, minLength }: Control): string {
  if (validity.valueMissing) return t('field.missing');
  if (validity.typeMismatch) return t(type === 'email' ? 'field.email' : 'field.url');
  if (validity.tooShort) return t('field.short', { count: minLength });
  return t('field.invalid');
}
