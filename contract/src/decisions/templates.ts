import type { Decision } from './decision.ts';

export const templateDecisions: readonly Decision[] = [
  {
    open: "Structure of a template's review history returned on retrieval",
    chosen: '`review_history`, each entry with `status`, `rejection_reason` and `updated_at`.',
    because: 'These are the field names of the Template.',
  },
  {
    open: 'Moves among `draft`, `pending`, `approved`, `rejected`, `paused`, `disabled` after creation',
    chosen: 'The reports of the channel platform, mapped to the six values.',
    because: 'The platform decides on templates.',
  },
  {
    open: 'When a new template is submitted to the channel platform',
    chosen:
      'In the background, right after it is stored as `pending`. A refusal of the platform makes it `rejected`, ' +
      'with the reason and an event. If the platform is unavailable, or its limit of 100 new templates an hour is ' +
      'reached, the submission waits.',
    because: 'The contract answers `pending` and sends the result as an event.',
  },
  {
    open: 'The checks of a new template',
    chosen:
      '422 with a pointer to each fault that the documented rules of the channel platform find in the template ' +
      'alone. Faults that depend on the account, such as its number of templates, are left to the platform: ' +
      '`rejected` with its reason.',
    because: 'The service checks the rules of the platform early, and does not know the state of the account.',
  },
  {
    open: 'A name and language of an existing template',
    chosen:
      '422 if the service knows the template. If only the channel platform has it, the new template takes over its ' +
      'content and status.',
    because:
      'The platform keeps one template for each name and language. After a lost response, that template is the ' +
      'submitted one, so none is created twice.',
  },
  {
    open: 'The examples of buttons, and the sample of a file header',
    chosen:
      '`examples` of the `buttons` component holds the values of its buttons in order. `examples` of the header ' +
      "holds the `media_id` of an uploaded sample, or the channel platform's handle of one.",
    because: 'The contract gives each component one list of examples, and a button none.',
  },
  {
    open: 'The text of an `authentication` template',
    chosen:
      'The text of the channel platform, with a button that copies the code. The components are those in the ' +
      "platform's response. Each variable takes a value of `template.params`.",
    because: 'The platform takes no other text for one-time codes.',
  },
  {
    open: 'The block on deleted names',
    chosen:
      'The name, in all languages, for 30 days to the millisecond after the deletion, here or at the channel ' +
      'platform: 422. A file of the operator skips such a name, and its answer leaves the name out.',
    because: 'The contract blocks "the name". Applying a file again does not undo a later deletion by a client.',
  },
  {
    open: 'When a deleted template leaves the channel platform',
    chosen:
      'In the background, after the messages that were accepted before the deletion were handed over. Until then, ' +
      "the platform's list does not restore it.",
    because: 'Accepted messages are sent, and the platform sends nothing by a deleted template.',
  },
  {
    open: 'Two reports on the status of a template',
    chosen: 'The report with the later time of the channel platform wins. The account is read again after each report.',
    because: 'Reports can arrive late and out of order.',
  },
  {
    open: 'Events when the quality or the category of a template changes',
    chosen: 'None. The template shows both; a new category applies to later sends.',
    because: 'The contract has an event for the result of a review alone.',
  },
  {
    open: 'Templates of a workspace with several business accounts',
    chosen: 'A template is created in the account of the first channel. Channels of another account do not find it.',
    because: 'The create call names no channel, and the channel platform keeps templates by account.',
  },
];
