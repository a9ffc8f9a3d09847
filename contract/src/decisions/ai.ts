import type { Decision } from './decision.ts';

export const ai: readonly Decision[] = [
  {
    open: 'What `sentiment` and `intent` of a summary say without a model',
    chosen: '`intent` is the last question of the contact; what cannot be known is `unknown`.',
    because: 'A guess would read like a finding.',
  },
  {
    open: 'What `sources` of a draft names',
    chosen: 'The address of a page, the name of a file, the first words of a text.',
    because: 'They are strings for a person to read, and no operation takes them.',
  },
  {
    open: 'Which member of a knowledge source is required',
    chosen:
      'Exactly one of `url`, `media_id` and `text`, which `type` names; without a `type` it is the one that is there. Else ' +
      '422 that points to the member.',
    because: 'No member is marked as required, and with none or two of them nobody knows what to read.',
  },
  {
    open: 'A knowledge source without `ai_agent_ids`, or with an empty list',
    chosen:
      'Without it every agent may use it; with an empty list none. An unknown id is 422. Drafts use every source.',
    because: 'A list names those who may.',
  },
  {
    open: 'A page that is added as a knowledge source again',
    chosen: 'What was read from that address before makes way, once the new one was read.',
    because: 'No operation removes or refreshes a source.',
  },
  {
    open: 'A knowledge source that is a file which a contact sent',
    chosen: '422 that points to `/media_id`.',
    because: 'The contract speaks of files that were uploaded, and an erasure must reach what a contact sent.',
  },
  {
    open: 'What an AI agent does with what was written before it got control',
    chosen: 'It answers once the contact writes again.',
    because: 'Whoever hands over a conversation may have answered already.',
  },
  {
    open: 'What one of the `ai_credits` is',
    chosen: '1,000 tokens that are begun, of all calls for one draft, summary, answer or source together.',
    because: 'It is what models are paid by, in whole numbers.',
  },
];
