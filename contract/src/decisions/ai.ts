import type { Decision } from './decision.ts';

export const aiDecisions: readonly Decision[] = [
  {
    open: '`sentiment` and `intent` of a summary without a model',
    chosen: '`intent` is the last question of the contact. An unknown value is `unknown`.',
    because: 'A guess would look like a result.',
  },
  {
    open: 'The entries of `sources` of a draft',
    chosen: 'The address of a page, the name of a file, the first words of a text.',
    because: 'The entries are strings for a person, and no operation takes them.',
  },
  {
    open: 'The required member of a knowledge source',
    chosen:
      'Exactly one of `url`, `media_id` and `text`. `type` names the member; without `type` it is the given one. ' +
      'Otherwise 422 with a pointer to the member.',
    because: 'The contract marks no member as required. With none or two of them, the source is unclear.',
  },
  {
    open: 'A knowledge source without `ai_agent_ids`, or with an empty list',
    chosen:
      'Without the list, every agent may use the source; with an empty list, none. An unknown id gives 422. Drafts ' +
      'use every source.',
    because: 'The list names the agents that may use the source.',
  },
  {
    open: 'A page that is added as a knowledge source again',
    chosen: 'The new text replaces the text read earlier from that address, after the page was read.',
    because: 'No operation removes or refreshes a source.',
  },
  {
    open: 'A knowledge source that is a file from a contact',
    chosen: '422 that points to `/media_id`.',
    because: 'The contract names uploaded files. An erasure must reach everything that a contact sent.',
  },
  {
    open: 'Messages that arrived before an AI agent got control',
    chosen: 'The agent answers when the contact writes again.',
    because: 'The person who hands over a conversation may have answered already.',
  },
  {
    open: 'The unit of `ai_credits`',
    chosen: 'One credit covers up to 1,000 tokens, of all calls for one draft, summary, answer or source together.',
    because: 'Models are paid by tokens, and the count is a whole number.',
  },
];
