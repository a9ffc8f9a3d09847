import type { ThreadChange } from '@majlis/console-api';
import { Banknote, MousePointerClick, Phone, PhoneMissed, Smartphone } from 'lucide-react';
import { useMinutesUntil } from '../../live/clock.ts';
import { isolated } from '../../words/isolated.ts';
import { currentLocale, isWord, t } from '../../words/words.ts';
import { inMinutes } from './times.ts';

/** What the platform reported about the conversation: a call, a click, a payment or the number. */
export function ReportedLine({ change, contact_name }: { change: ThreadChange; contact_name: string }) {
  const shown = useAwaitedEnd(change);
  const Icon = iconOf(shown);
  return (
    <>
      <Icon size={14} aria-hidden />
      <span>{reportSentence(shown, contact_name)}</span>
    </>
  );
}

/** The service tells no time that passes: the line follows the clock. */
function useAwaitedEnd(change: ThreadChange): ThreadChange {
  const isOver = useMinutesUntil(change.call?.ends_by) === -1;
  return change.call && isOver ? { ...change, call: { by: change.call.by, outcome: 'unreported' } } : change;
}

function iconOf({ kind, call, payment }: ThreadChange) {
  if (payment) return Banknote;
  if (kind === 'number_given') return Smartphone;
  if (!call) return MousePointerClick;
  return call.outcome === 'missed' ? PhoneMissed : Phone;
}

function reportSentence(change: ThreadChange, contact_name: string): string {
  const name = isolated(contact_name);
  if (change.call) return sentenceOfCall(change.call, name);
  if (change.payment) return sentenceOfPayment(change.payment);
  return t(change.kind === 'number_given' ? 'thread.number_given' : 'thread.link_clicked', { name });
}

function sentenceOfCall({ by, outcome, duration_seconds }: NonNullable<ThreadChange['call']>, name: string): string {
  const time = isolated(inMinutes(duration_seconds ?? 0));
  const id = `thread.call_${by}_${duration_seconds === undefined ? outcome : 'lasted'}`;
  return isWord(id) ? t(id, { name, time }) : t('thread.call_customer_begun', { name });
}

function sentenceOfPayment({ reference_id, status, amount, currency }: NonNullable<ThreadChange['payment']>): string {
  const id = `thread.payment_${status.toLowerCase()}`;
  const state = isWord(id) ? t(id) : isolated(status);
  const reference = isolated(reference_id);
  if (amount === undefined || currency === undefined) return t('thread.payment', { reference, state });
  return t('thread.payment_of', { reference, state, amount: isolated(inCurrency(amount, currency)) });
}

/** The currency is the platform's word. An unknown one stands beside the number. */
function inCurrency(amount: number, currency: string): string {
  const isKnown = /^[A-Z]{3}$/.test(currency);
  const style = isKnown ? ({ style: 'currency', currency } as const) : {};
  const text = new Intl.NumberFormat(currentLocale(), style).format(amount);
  return isKnown ? text : `${text} ${currency}`;
}
