import { mayAct } from '@majlis/console-api/roles';
import { Bell, Keyboard, UserRound } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { useLocation } from 'wouter';
import { t } from '../words/words.ts';
import { type Command, useCommands } from './commands.ts';
import { paletteStore } from './palette-store.ts';
import { places } from './places.tsx';
import type { Membership } from './shell.tsx';

/** What can be done on every page. */
export function ShellCommands({ membership }: { membership: Membership | undefined }) {
  const [, navigate] = useLocation();
  const commands = useMemo((): Command[] => {
    const go = (id: string, path: string, label: string, icon: ReactNode, code?: string): Command => ({
      id: `go.${id}`,
      label: t('palette.go', { place: label }),
      icon,
      ...(code && { shortcut: { code, after: 'KeyG' } }),
      run: () => navigate(path),
    });
    const open = (front: 'commands' | 'shortcuts') => () => paletteStore.set(front);
    return [
      {
        id: 'app.palette',
        label: t('palette.open'),
        shortcut: { code: 'KeyK', mod: true },
        isKeyOnly: true,
        run: open('commands'),
      },
      {
        id: 'app.shortcuts',
        label: t('palette.shortcuts'),
        icon: <Keyboard size={16} aria-hidden />,
        shortcut: { code: 'Slash', shift: true },
        run: open('shortcuts'),
      },
      ...(membership
        ? places
            .filter(({ least }) => mayAct(membership.role, least))
            .map(({ path, label, icon, key }) => go(path, `/w/${membership.workspace_id}/${path}`, t(label), icon, key))
        : []),
      go('notifications', '/notifications', t('person.notifications'), <Bell size={16} aria-hidden />, 'KeyO'),
      go('profile', '/profile', t('nav.profile'), <UserRound size={16} aria-hidden />, 'Comma'),
    ];
  }, [membership, navigate]);
  useCommands(commands);
  return null;
}
