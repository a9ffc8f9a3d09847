import type { Decision } from './decision.ts';

export const templates: readonly Decision[] = [
  {
    open: "Structure of a template's review history returned on retrieval",
    chosen: '`review_history`, each entry with `status`, `rejection_reason` and `updated_at`.',
    because: "These are the Template's own field names.",
  },
  {
    open: 'Moves among `draft`, `pending`, `approved`, `rejected`, `paused`, `disabled` after creation',
    chosen: 'Whatever the channel platform reports, mapped onto the six values.',
    because: 'The platform decides on templates.',
  },
  {
    open: 'When a new template is submitted to the channel platform',
    chosen:
      'Right after it is stored as `pending`, in the background. What the platform refuses becomes `rejected` with its ' +
      "reason and an event; the platform's being away, and its limit of 100 new templates an hour, only delay it.",
    because: 'The contract answers `pending` and sends the result as an event.',
  },
  {
    open: 'What is checked when a template is created, and by whom',
    chosen:
      'What the channel platform is documented to refuse by the shape of a template alone is a 422 with the place of each ' +
      'fault. What depends on the account (its number of templates, a text that another template has) is its own ' +
      'decision: `rejected` with its reason.',
    because: 'The service enforces the rules of the platform up front, and cannot know what only the platform knows.',
  },
  {
    open: 'A name and language that the account has a template of',
    chosen:
      '422 where the template is known here. Where only the channel platform knows it, the new template becomes that one: ' +
      'its content and status are taken over.',
    because:
      'The platform keeps one template of a name and language. After an answer that was lost it is the template that was ' +
      'submitted, so none is created twice.',
  },
  {
    open: 'Where the examples of buttons stand, and the sample of a header that is a file',
    chosen:
      '`examples` of the `buttons` component holds the values of its buttons in their order; `examples` of the header ' +
      "holds the `media_id` of an uploaded sample, or the channel platform's own handle of one.",
    because: 'The contract gives each component one list of examples, and a button none.',
  },
  {
    open: 'The text of an `authentication` template',
    chosen:
      "The channel platform's own, with a button that copies the code; the components are those that the platform " +
      'answers with. Each of its variables takes a value of `template.params`.',
    because: 'The platform takes no other text for one-time codes.',
  },
  {
    open: 'What the block on deleted names covers',
    chosen:
      'The name, in all languages, for 30 days from the deletion, here or at the channel platform, to the millisecond: ' +
      "422. In an operator's file such a name is passed over, and its answer leaves it out.",
    because: 'The contract blocks "the name". A file that is applied again does not undo what a client deleted since.',
  },
  {
    open: 'When a deleted template leaves the channel platform',
    chosen:
      'Soon, in the background: after the messages that were accepted before it was deleted have been handed over. ' +
      "Until it has left, the platform's list does not bring it back.",
    because: 'What was accepted is sent, and the platform sends nothing by a template that it no longer has.',
  },
  {
    open: 'Which of two reports on the status of a template holds',
    chosen: "The one that is later by the channel platform's time; the account is read anew after each report.",
    because: 'Reports can arrive late and out of order.',
  },
  {
    open: 'Events when the quality or the category of a template changes',
    chosen: 'None. Both are read with the template; a new category counts from the next send on.',
    because: 'The contract names an event for the result of a review alone.',
  },
  {
    open: 'Templates where the channels of a workspace belong to several business accounts',
    chosen:
      'A template is created in the account of the first channel, and is not found from a channel of another account.',
    because: 'The create call names no channel; the channel platform keeps templates by account.',
  },
];
