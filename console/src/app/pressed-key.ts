interface Pressed {
  key: string;
  code: string;
  shiftKey: boolean;
}

/**
 * The key as the shortcuts name it. A Latin letter counts as it is written, wherever layouts such as AZERTY have it. A key that
 * writes another script counts by its place, where a Latin letter stands too. So does a sign, except those of the search and the help.
 */
export function pressedKey({ key, code, shiftKey }: Pressed): { code: string; shift: boolean } {
  if (key === '?' || key === '؟') return { code: 'Slash', shift: true };
  // Many layouts write the slash with Shift. The Arabic one has it on a letter.
  if (key === '/' && !code.startsWith('Key')) return { code: 'Slash', shift: false };
  return { code: codeOf({ key, code }), shift: shiftKey };
}

/** The key alone. Both keys of Enter are one. */
export function codeOf({ key, code }: Pick<Pressed, 'key' | 'code'>): string {
  if (/^[a-z]$/i.test(key)) return `Key${key.toUpperCase()}`;
  return code === 'NumpadEnter' ? 'Enter' : code;
}

/** Whether the key gives a command. AltGr, which some systems tell as Control with Alt, writes a sign. */
export function isCommand(event: KeyboardEvent): boolean {
  return event.metaKey || (event.ctrlKey && !event.getModifierState('AltGraph'));
}
