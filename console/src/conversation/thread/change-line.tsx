import type { ThreadChange } from '@majlis/console-api';
import { Bot, CircleCheckBig, Clock, type LucideIcon, RotateCcw, Tag, UserCheck, Users } from 'lucide-react';
import { Suspense } from 'react';
import { lazyPart } from '../../app/lazy-page.tsx';
import { insteadOfPiece } from '../../parts/missing-part.ts';
import { isolated } from '../../words/isolated.ts';
import { fullTime, t } from '../../words/words.ts';
import styles from './change-line.module.css';
import { nameOfActor } from './people.ts';
import { timeOfDay } from './times.ts';

/** Few conversations have one. */
const ReportedLine = lazyPart(async () => (await import('./reported-line.tsx')).ReportedLine, insteadOfPiece);

const icons: Partial<Record<ThreadChange['kind'], LucideIcon>> = {
  assigned: UserCheck,
  team_assigned: Users,
  closed: CircleCheckBig,
  reopened: RotateCcw,
  handed_over: Bot,
  stage_set: Tag,
  snoozed: Clock,
};

/** What somebody did to the conversation. */
export function ChangeLine({ change, contact_name }: { change: ThreadChange; contact_name: string }) {
  const Icon = icons[change.kind];
  return (
    <div className={styles.line}>
      <p className={styles.words}>
        {Icon ? (
          <>
            <Icon size={14} aria-hidden />
            {/* A sentence of the console, in whose direction a name does not decide. */}
            <span>{sentenceOf(change, contact_name)}</span>
          </>
        ) : (
          <Suspense>
            <ReportedLine change={change} contact_name={contact_name} />
          </Suspense>
        )}
        <time dateTime={change.created_at} title={fullTime(change.created_at)}>
          {timeOfDay(change.created_at)}
        </time>
      </p>
      {change.summary && (
        <p className={styles.summary} dir="auto">
          {change.summary}
        </p>
      )}
    </div>
  );
}

function sentenceOf(change: ThreadChange, contact_name: string): string {
  const actor = isolated(nameOfActor(change, contact_name));
  const value = change.value_name === undefined ? undefined : isolated(change.value_name);
  switch (change.kind) {
    case 'assigned':
      if (change.actor_kind === 'user' && change.value_id !== undefined && change.value_id === change.actor_id) {
        return t('thread.assigned_self', { actor });
      }
      return value === undefined ? t('thread.unassigned', { actor }) : t('thread.assigned', { actor, value });
    case 'team_assigned':
      return value === undefined ? t('thread.team_unassigned', { actor }) : t('thread.team_assigned', { actor, value });
    case 'closed':
      if (change.reason === undefined) return t('thread.closed', { actor });
      return t('thread.closed_reason', { actor, reason: isolated(change.reason) });
    case 'reopened':
      return t('thread.reopened', { actor });
    case 'handed_over':
      if (change.controller === 'human') return t('thread.handed_to_human', { actor });
      if (change.actor_kind === 'platform_agent') return t('thread.bot_took', { actor });
      if (change.value_id !== undefined && change.value_id === change.actor_id) return t('thread.bot_took', { actor });
      return t('thread.handed_to_bot', { actor, value: value ?? t('thread.a_bot') });
    case 'stage_set':
      return value === undefined ? t('thread.stage_unset', { actor }) : t('thread.stage_set', { actor, value });
    case 'snoozed':
      if (change.until === undefined) return t('thread.unsnoozed', { actor });
      return t('thread.snoozed', { actor, time: fullTime(change.until) });
    default:
      return '';
  }
}
