const units = { s: 1, m: 60, h: 3600, d: 86_400 };
const maxSeconds = 366 * 86_400;

/** The seconds of `90s`, `15m`, `2h` or `3d`; undefined for other texts and for more than 366 days. */
export function readDuration(text: string): number | undefined {
  const match = /^([1-9][0-9]{0,6}) ?([smhd])$/.exec(text);
  if (!match) return undefined;
  const seconds = Number(match[1]) * units[match[2] as keyof typeof units];
  return seconds <= maxSeconds ? seconds : undefined;
}
