import type { ConversationMessageSend } from '@majlis/contract';

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

export interface ChoicesDraft {
  form: ChoicesForm;
  body: string;
  choices: readonly DraftChoice[];
}

export interface ChoicesFault {
  type: 'no_body' | 'long_body' | 'no_title' | 'long_title' | 'long_description' | 'same_title';
  /** The place of the choice. */
  index?: number;
  excess?: number;
}

/** Why the service would refuse the message: the first fault, in the order of the form. */
export function findChoicesFault({ form, body, choices }: ChoicesDraft): ChoicesFault | undefined {
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
export function toChoices({ form, body, choices }: ChoicesDraft) {
  const buttons = choices.map(({ title, description }, index) => ({
    id: `choice_${index + 1}`,
    title: title.trim(),
    ...(form === 'list' && description.trim() !== '' && { description: description.trim() }),
  }));
  return { kind: 'interactive' as const, body: body.trim(), interactive: { type: form, buttons } };
}

/** The draft of a message that is there already. Undefined where it asks for something else than a choice. */
export function choicesOf({ body = '', interactive }: ConversationMessageSend): ChoicesDraft | undefined {
  if (interactive?.type !== 'buttons' && interactive?.type !== 'list') return undefined;
  const choices = (interactive.buttons ?? []).map((button) => {
    // The platform's own form of a choice is taken too.
    const { title = '', description = '' } = (button.reply ?? button) as Partial<DraftChoice>;
    return { title, description };
  });
  return { form: interactive.type, body, choices };
}
