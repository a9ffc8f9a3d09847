import type { OwnKeys } from '@majlis/console-api';
import { Pencil, RotateCcw, X } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '../parts/button.tsx';
import { isolated } from '../words/isolated.ts';
import { t } from '../words/words.ts';
import { type Judgement, judgeKey, withoutKey } from './change-key.ts';
import { commandName } from './command-names.ts';
import type { Command } from './commands.ts';
import { Keys } from './keys.tsx';
import styles from './palette.module.css';
import { pressedKey } from './pressed-key.ts';
import { saveKeys } from './save-keys.ts';
import type { Shortcut } from './shortcut.ts';
import { defaultOf, shortcutOf } from './shortcut-of.ts';
import { isMac } from './shortcuts.ts';

interface Props {
  command: Command;
  shown: readonly Command[];
  own: OwnKeys;
}

type Refused = Exclude<Judgement, { type: 'kept' }>;

/** A command with its key, which the person may change, or without one. */
export function KeyRow({ command, shown, own }: Props) {
  const [isAsking, setAsking] = useState(false);
  const [refused, setRefused] = useState<Refused>();
  const { id, label } = command;
  const hasKey = shortcutOf(command, own) !== undefined;
  const pencil = useRef<HTMLButtonElement>(null);
  /** The button that was pressed goes, and the focus would fall to the start of the dialog. */
  function end() {
    flushSync(() => {
      setAsking(false);
      setRefused(undefined);
    });
    pencil.current?.focus();
  }
  async function keep(keys: OwnKeys) {
    end();
    await saveKeys(keys);
  }
  function reset() {
    const first = defaultOf(command);
    if (first) give(first);
    else void keep(withoutKey(id, own));
  }
  function give(key: Shortcut) {
    const judgement = judgeKey(id, key, shown, own);
    if (judgement.type === 'kept') return void keep(judgement.own);
    setRefused(judgement);
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') end();
    else if (!isModifier(event.key) && !event.repeat) give(pressedIn(event));
  }
  return (
    <div className={styles.shortcut}>
      <dt>
        <bdi>{label}</bdi>
      </dt>
      <dd>
        {isAsking ? (
          <Button autoFocus onKeyDown={onKeyDown} onBlur={() => setAsking(false)} onPress={end}>
            {t('keys.press')}
          </Button>
        ) : (
          <>
            {hasKey ? <Keys of={command} /> : <span className={styles.hint}>{t('keys.none')}</span>}
            <Button
              ref={pencil}
              look="quiet"
              aria-label={t(hasKey ? 'keys.change' : 'keys.give', { name: isolated(label) })}
              onPress={() => {
                setRefused(undefined);
                setAsking(true);
              }}
            >
              <Pencil size={16} aria-hidden />
            </Button>
          </>
        )}
        {own[id] && (
          <Button
            look="quiet"
            aria-label={t(defaultOf(command) ? 'keys.reset' : 'keys.take', { name: isolated(label) })}
            onPress={reset}
          >
            {defaultOf(command) ? <RotateCcw size={16} aria-hidden /> : <X size={16} aria-hidden />}
          </Button>
        )}
      </dd>
      {refused && (
        <dd className={styles.refused}>
          <p role="alert">{sentenceOn(refused, shown)}</p>
          {refused.type === 'clash' && refused.swapped && (
            <Button onPress={() => keep(refused.swapped!)}>{t('keys.swap')}</Button>
          )}
        </dd>
      )}
    </div>
  );
}

function sentenceOn(refused: Refused, shown: readonly Command[]): string {
  if (refused.type === 'reserved') return t(`keys.${refused.why}`);
  const names = [...new Set(refused.others.map((other) => commandName(other, shown)))].join(' · ');
  const clash = t('keys.clash', { names: isolated(names) });
  return refused.swapped ? clash : `${clash} ${t('keys.no_swap')}`;
}

function isModifier(key: string): boolean {
  return ['Shift', 'Control', 'Meta', 'Alt', 'AltGraph', 'CapsLock', 'Fn'].includes(key);
}

function pressedIn(event: KeyboardEvent): Shortcut {
  const { code, shift } = pressedKey(event);
  const mod = isMac ? event.metaKey : event.ctrlKey;
  return { code, ...(mod && { mod }), ...(shift && { shift }) };
}
