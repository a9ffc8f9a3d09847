import { currentLocale, t } from '../../words/words.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

/** A format is made once: making one takes longer than all of a row. */
function formatOf(name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${currentLocale()} ${name}`;
  const known = formats.get(key);
  if (known) return known;
  const format = new Intl.DateTimeFormat(currentLocale(), options);
  formats.set(key, format);
  return format;
}

export function timeOfDay(iso: string): string {
  return formatOf('time', { hour: 'numeric', minute: '2-digit' }).format(new Date(iso));
}

/** `Today`, `Yesterday`, `Monday, 12 March`, or the date with its year. */
export function dayInWords(iso: string, now: number): string {
  const day = new Date(iso);
  const today = new Date(now);
  if (day.toDateString() === today.toDateString()) return t('thread.today');
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1);
  if (day.toDateString() === yesterday.toDateString()) return t('thread.yesterday');
  if (day.getFullYear() === today.getFullYear()) {
    return formatOf('day', { weekday: 'long', day: 'numeric', month: 'long' }).format(day);
  }
  return formatOf('date', { day: 'numeric', month: 'long', year: 'numeric' }).format(day);
}

/** Minutes and seconds, such as `2:05`. */
export function inMinutes(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
