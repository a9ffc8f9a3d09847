import type { Conversation } from '@majlis/contract';
import {
  CalendarClock,
  LayoutTemplate,
  ListPlus,
  MapPin,
  MessageSquareReply,
  MessageSquareText,
  Mic,
  NotebookPen,
  Paperclip,
  ScrollText,
  Smartphone,
  Sparkles,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { type Command, useCommands } from '../app/commands.ts';
import type { WordId } from '../words/word-id.ts';
import { t } from '../words/words.ts';

/** What the tools and the palette do besides writing. */
export type ToolAction =
  | 'attach'
  | 'voice'
  | 'templates'
  | 'canned'
  | 'choices'
  | 'location'
  | 'number'
  | 'later'
  | 'ai_draft'
  | 'ai_friendly'
  | 'ai_formal'
  | 'ai_concise'
  | 'summary';

export interface Action {
  id: ToolAction | 'reply' | 'note';
  label: WordId;
  icon: ReactNode;
  /** Of no use where a template alone may be sent. */
  needsWindow?: boolean;
  /** Of no use where the customer shows their number. */
  needsHiddenNumber?: boolean;
}

const iconOf = { size: 16, 'aria-hidden': true } as const;

const actions: readonly Action[] = [
  {
    id: 'reply',
    label: 'composer.command_reply',
    icon: <MessageSquareReply {...iconOf} />,
  },
  { id: 'note', label: 'composer.command_note', icon: <NotebookPen {...iconOf} /> },
  {
    id: 'templates',
    label: 'composer.command_template',
    icon: <LayoutTemplate {...iconOf} />,
  },
  {
    id: 'later',
    label: 'scheduled.later',
    icon: <CalendarClock {...iconOf} />,
  },
  { id: 'attach', label: 'composer.attach', icon: <Paperclip {...iconOf} />, needsWindow: true },
  { id: 'voice', label: 'composer.voice', icon: <Mic {...iconOf} />, needsWindow: true },
  { id: 'canned', label: 'composer.canned', icon: <MessageSquareText {...iconOf} />, needsWindow: true },
  { id: 'choices', label: 'composer.interactive', icon: <ListPlus {...iconOf} />, needsWindow: true },
  { id: 'location', label: 'composer.location', icon: <MapPin {...iconOf} />, needsWindow: true },
  {
    id: 'number',
    label: 'composer.number',
    icon: <Smartphone {...iconOf} />,
    needsWindow: true,
    needsHiddenNumber: true,
  },
  { id: 'ai_draft', label: 'composer.ai_draft', icon: <Sparkles {...iconOf} />, needsWindow: true },
  { id: 'ai_friendly', label: 'composer.ai_friendly', icon: <Sparkles {...iconOf} />, needsWindow: true },
  { id: 'ai_formal', label: 'composer.ai_formal', icon: <Sparkles {...iconOf} />, needsWindow: true },
  { id: 'ai_concise', label: 'composer.ai_concise', icon: <Sparkles {...iconOf} />, needsWindow: true },
  { id: 'summary', label: 'composer.ai_summary', icon: <ScrollText {...iconOf} /> },
];

/** What keeps actions from being of use. */
export interface Refused {
  /** Nothing but a template can be sent. */
  isWindowOver: boolean;
  isNumberKnown: boolean;
}

export function isNumberKnown({ channel_type, contact_handle }: Conversation): boolean {
  return channel_type !== 'chatapp' || contact_handle === undefined || contact_handle.startsWith('+');
}

const usable = ({ isWindowOver, isNumberKnown }: Refused) =>
  actions.filter(
    ({ needsWindow, needsHiddenNumber }) => !(needsWindow && isWindowOver) && !(needsHiddenNumber && isNumberKnown),
  );

/** The entries of the menu of AI help. */
export function aiActions(refused: Refused): readonly Action[] {
  return usable(refused).filter(({ id }) => id.startsWith('ai_') || id === 'summary');
}

const more: ReadonlySet<Action['id']> = new Set(['canned', 'choices', 'location', 'number']);

/** The entries of the menu of other tools. */
export function moreActions(refused: Refused): readonly Action[] {
  return usable(refused).filter(({ id }) => more.has(id));
}

/** Every action of the composer, for the palette and the keyboard. */
export function useComposerCommands(act: (action: Action['id']) => void, refused: Refused): void {
  useCommands(
    usable(refused).map(
      ({ id, label, icon }): Command => ({
        id: `composer.${id}`,
        label: t(label),
        icon,
        run: () => act(id),
      }),
    ),
  );
}
