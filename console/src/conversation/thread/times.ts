import { dateFormat, t } from '../../words/words.ts';

export function timeOfDay(iso: string): string {
  return dateFormat({ hour: 'numeric', minute: '2-digit' }).format(new Date(iso));
}

/** `Today`, `Yesterday`, `Monday, 12 March`, or the date with its year. */
export function dayInWords(iso: string, todayText: string): string {
  const day = new Date(iso);
  const today = new Date(todayText);
  if (day.toDateString() === todayText) return t('thread.today');
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1);
  if (day.toDateString() === yesterday.toDateString()) return t('thread.yesterday');
  if (day.getFullYear() === today.getFullYear()) {
    return dateFormat({ weekday: 'long', day: 'numeric', month: 'long' }).format(day);
  }
  return dateFormat({ day: 'numeric', month: 'long', year: 'numeric' }).format(day);
}

/** Minutes and seconds, such as `2:05`. */
export function inMinutes(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
