import { CalendarClock, Clock, DoorOpen, Moon, Sunrise } from 'lucide-react';
import type { RefObject } from 'react';
import { momentText } from '../../conversation/header/moment-text.ts';
import { useWorkspace } from '../../live/directory.ts';
import { serverNow } from '../../live/session.ts';
import { ActionMenu } from '../../parts/action-menu.tsx';
import { t } from '../../words/words.ts';
import { isBehindWindow } from './late-warning.tsx';
import type { LaterProps } from './later-props.ts';
import { laterMoments } from './later-times.ts';

interface Props extends LaterProps {
  anchor: RefObject<HTMLElement | null>;
  onOwnTime: () => void;
  onClose: () => void;
}

const icons = { hour: Clock, evening: Moon, opening: DoorOpen, tomorrow: Sunrise };
const iconOf = { size: 16, 'aria-hidden': true } as const;

/** The moments that most people choose. Those behind the end of the window stand apart, with a warning. */
export function LaterMenu({ workspace_id, gate, isTemplate = false, anchor, onChoose, onOwnTime, onClose }: Props) {
  const timezone = useWorkspace(workspace_id)?.timezone ?? 'UTC';
  const moments = laterMoments(serverNow(), { timezone, opens: gate?.outside_hours?.opens });
  const isBehind = (at: number) => !isTemplate && isBehindWindow(gate, at);
  const entriesOf = (isOf: (at: number) => boolean) =>
    moments
      .filter(({ at }) => isOf(at))
      .map(({ choice, at }) => {
        const Icon = icons[choice];
        const label = t(`scheduled.at_${choice}`);
        return { id: choice, label, detail: momentText(at, timezone), icon: <Icon {...iconOf} /> };
      });
  return (
    <ActionMenu
      label={t('scheduled.later')}
      anchor={anchor}
      sections={[
        { id: 'open', entries: entriesOf((at) => !isBehind(at)) },
        { id: 'behind', title: t('scheduled.behind_window'), entries: entriesOf(isBehind) },
        {
          id: 'own',
          entries: [{ id: 'own', label: t('scheduled.own_time'), icon: <CalendarClock {...iconOf} /> }],
        },
      ]}
      onAction={(id) => {
        const moment = moments.find(({ choice }) => choice === id);
        if (moment) onChoose({ at: moment.at, shown: momentText(moment.at, timezone) });
        else onOwnTime();
      }}
      onClose={onClose}
    />
  );
}
