/** The platform's bounds of a message with choices. */
export const choiceBounds = {
  buttons: { choices: 3, title: 20, body: 1_024 },
  list: { choices: 10, title: 24, body: 4_096 },
  description: 72,
} as const;

export type ChoicesForm = 'buttons' | 'list';

export interface DraftChoice {
  title: string;
  description: string;
}

export interface ChoicesFault {
  type: 'no_body' | 'long_body' | 'no_title' | 'long_title' | 'long_description' | 'same_title';
  /** The place of the choice. */
  index?: number;
  excess?: number;
}

/** Why the service would refuse the message: the first fault, in the order of the form. */
export function findChoicesFault(
  form: ChoicesForm,
  body: string,
  choices: readonly DraftChoice[],
): ChoicesFault | undefined {
  const bounds = choiceBounds[form];
  if (body.trim() === '') return { type: 'no_body' };
  const excess = excessOf(body, bounds.body);
  if (excess > 0) return { type: 'long_body', excess };
  for (const [index, { title, description }] of choices.entries()) {
    if (title.trim() === '') return { type: 'no_title', index };
    const ofTitle = excessOf(title.trim(), bounds.title);
    if (ofTitle > 0) return { type: 'long_title', index, excess: ofTitle };
    const ofDescription = form === 'list' ? excessOf(description.trim(), choiceBounds.description) : 0;
    if (ofDescription > 0) return { type: 'long_description', index, excess: ofDescription };
    // A customer could not tell two of one title apart.
    const first = choices.findIndex((other) => other.title.trim() === title.trim());
    if (first < index) return { type: 'same_title', index };
  }
  return undefined;
}

function excessOf(text: string, limit: number): number {
  return [...text].length - limit;
}

/** The message as the service takes it. The ids come back with the customer's choice. */
export function toInteractive(form: ChoicesForm, choices: readonly DraftChoice[]) {
  const buttons = choices.map(({ title, description }, index) => ({
    id: `choice_${index + 1}`,
    title: title.trim(),
    ...(form === 'list' && description.trim() !== '' && { description: description.trim() }),
  }));
  return { type: form, buttons };
}
