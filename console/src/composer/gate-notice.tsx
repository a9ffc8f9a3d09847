import type { SendGate } from '@majlis/console-api';
import { mayAct } from '@majlis/console-api/roles';
import type { Conversation } from '@majlis/contract';
import { Ban, Bot, CircleAlert, Clock, LockKeyhole, Moon, PlugZap, Unplug } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { attempt } from '../app/attempt.ts';
import { conversationChanged } from '../live/conversations.ts';
import type { Membership } from '../live/membership.ts';
import { request } from '../live/request.ts';
import { Button } from '../parts/button.tsx';
import { isolated } from '../words/isolated.ts';
import { currentLocale, isWord, t } from '../words/words.ts';
import styles from './composer.module.css';
import { gateChanged } from './gate.ts';
import { refusedMembers } from './refused-member.ts';

interface Props {
  membership: Membership;
  conversation: Conversation;
  gate: SendGate | undefined;
  /** The code of the contract with which a send would be refused. */
  code: string | undefined;
}

/** What the service would say to a send, before it, and the way out. */
export function GateNotice({ gate, ...props }: Props) {
  // A disconnected number is refused above, with its own sentence.
  const trouble = gate?.free.pointer === '/channel_id' ? undefined : gate?.channel_trouble;
  return (
    <>
      {props.code !== undefined && <Refusal gate={gate} {...props} code={props.code} />}
      {gate?.takes_over && (
        <div className={styles.notice} data-kind="info" role="status">
          <Bot size={18} aria-hidden />
          <p>{t('composer.takes_over')}</p>
        </div>
      )}
      {gate?.outside_hours && <OutsideHours opens={gate.outside_hours.opens} />}
      {trouble && (
        <div className={styles.notice} data-kind="warning" role="status">
          <PlugZap size={18} aria-hidden />
          <p>{t('composer.channel_trouble', { reason: isolated(trouble) })}</p>
        </div>
      )}
    </>
  );
}

/** A calm line: the customer may wait longer than usual. */
function OutsideHours({ opens }: { opens: string | undefined }) {
  return (
    <p className={styles.hours}>
      <Moon size={14} aria-hidden />
      {opens === undefined
        ? t('composer.outside_hours')
        : t('composer.outside_hours_until', { time: isolated(localTime(opens)) })}
    </p>
  );
}

/** A time of the workspace's clocks, whichever zone the browser has. */
function localTime(text: string): string {
  const parts: Intl.DateTimeFormatOptions = { weekday: 'long', hour: 'numeric', minute: '2-digit', timeZone: 'UTC' };
  return new Intl.DateTimeFormat(currentLocale(), parts).format(new Date(`${text}:00Z`));
}

interface Way {
  icon: ReactNode;
  text: string;
  label?: string;
  work?: () => unknown;
}

function Refusal({ membership, conversation, gate, code }: Props & { code: string }) {
  const [isPending, setPending] = useState(false);
  const [, navigate] = useLocation();
  const { workspace_id, role } = membership;
  const base = `/workspaces/${workspace_id}`;
  const path = `${base}/conversations/${conversation.id}`;

  async function act(work: () => unknown): Promise<void> {
    setPending(true);
    await attempt(async () => work());
    setPending(false);
    conversationChanged(conversation.id);
    gateChanged(conversation.id);
  }

  const ways: Record<string, Way> = {
    bot_in_control: {
      icon: <Bot size={18} aria-hidden />,
      text: t('composer.bot'),
      label: t('composer.take_over'),
      work: () => request('POST', `${path}/handover`, { to: 'human' }),
    },
    conversation_closed: {
      icon: <LockKeyhole size={18} aria-hidden />,
      text: t('composer.closed'),
      label: t('composer.reopen'),
      work: () => request('POST', `${path}/reopen`),
    },
    contact_blocked: {
      icon: <Ban size={18} aria-hidden />,
      text: t('composer.blocked'),
      label: t('composer.unblock'),
      work: () => request('PATCH', `${base}/contacts/${conversation.contact_id}`, { blocked: false }),
    },
    // The way out is open below: the templates.
    window_closed: {
      icon: <Clock size={18} aria-hidden />,
      text: t(gate?.window_expires_at === undefined ? 'composer.unwritten' : 'composer.closed_window'),
    },
  };
  const waysOfMember: Record<string, Way> = {
    channel_id: {
      icon: <Unplug size={18} aria-hidden />,
      text: t(refusedMembers.channel_id!),
      ...(mayAct(role, 'admin') && {
        label: t('composer.to_channels'),
        work: () => navigate(`/w/${workspace_id}/channels`),
      }),
    },
    contact_id: { icon: <CircleAlert size={18} aria-hidden />, text: t(refusedMembers.contact_id!) },
  };
  const { icon, text, label, work } =
    ways[code] ?? waysOfMember[gate?.free.pointer?.slice(1) ?? ''] ?? unknownWay(code);
  return (
    <div className={styles.notice} data-kind="info" role="status">
      {icon}
      <p>{text}</p>
      {work && (
        <Button isPending={isPending} onPress={() => void act(work)}>
          {label}
        </Button>
      )}
    </div>
  );
}

/** A code of a newer service. */
function unknownWay(code: string): Way {
  const sentence = `error.${code}`;
  const reason = t(isWord(sentence) ? sentence : 'error.other');
  return { icon: <CircleAlert size={18} aria-hidden />, text: t('composer.refused', { reason }) };
}
