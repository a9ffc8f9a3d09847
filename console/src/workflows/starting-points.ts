import { t } from '../words/words.ts';
import type { Definition } from './definition.ts';

export const startingPoints = ['empty', 'greeting', 'question', 'reminder', 'rating'] as const;
export type StartingPoint = (typeof startingPoints)[number];

/** A definition to begin with, its texts in the language of the console. */
export function definitionOf(point: StartingPoint): Definition {
  switch (point) {
    case 'empty':
      return { trigger: 'message_received', steps: [] };
    case 'greeting':
      return {
        trigger: 'conversation_created',
        when: [{ value: '{{trigger.started_by}}', equals: 'customer' }],
        control: 'human',
        steps: [{ do: 'send_message', text: t('workflows.text_greeting', { name: '{{contact.name}}' }) }],
      };
    case 'question':
      return {
        trigger: 'message_received',
        when: [{ value: '{{trigger.message.is_first}}', equals: true }],
        steps: [
          { do: 'ask', name: 'topic', text: t('workflows.text_topic'), within: '1h' },
          {
            do: 'branch',
            cases: [
              {
                when: [{ value: '{{steps.topic.answer}}', contains: ['1', t('workflows.text_order')] }],
                steps: [
                  { do: 'set_tag', tag: t('workflows.text_order') },
                  { do: 'send_message', text: t('workflows.text_order_number') },
                ],
              },
            ],
            else: [{ do: 'send_message', text: t('workflows.text_colleague') }],
          },
          { do: 'hand_over', to: 'human' },
        ],
      };
    case 'reminder':
      return {
        trigger: 'no_reply',
        reply_from: 'business',
        after: '15m',
        control: 'human',
        steps: [
          { do: 'add_note', text: t('workflows.text_waiting') },
          { do: 'assign', round_robin: true },
        ],
      };
    case 'rating':
      return {
        trigger: 'api_call',
        steps: [
          {
            do: 'ask',
            name: 'rating',
            text: t('workflows.text_rating'),
            within: '1d',
            on_timeout: [{ do: 'end' }],
          },
          {
            do: 'branch',
            cases: [
              {
                when: [{ value: '{{steps.rating.answer}}', less_than: 3 }],
                steps: [
                  { do: 'add_note', text: t('workflows.text_rated') },
                  { do: 'hand_over', to: 'human' },
                ],
              },
            ],
            else: [{ do: 'send_message', text: t('workflows.text_thanks') }],
          },
        ],
      };
  }
}
