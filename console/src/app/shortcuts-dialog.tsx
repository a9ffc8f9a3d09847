import { Link } from 'wouter';
import { useStore } from '../live/store.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { isWord, t } from '../words/words.ts';
import { type Command, commandStore } from './commands.ts';
import { KeyRow } from './key-row.tsx';
import { useOwnKeys } from './own-keys.ts';
import styles from './palette.module.css';
import { paletteStore } from './palette-store.ts';
import { saveKeys } from './save-keys.ts';
import { shortcutOf } from './shortcut-of.ts';

const order = ['list', 'conversation', 'composer', 'proposals', 'go', 'app'];

/** Every command of the page, by what it acts on. Each one can get another key, or its first one. */
export function ShortcutsDialog() {
  const own = useOwnKeys();
  const commands = useStore(commandStore);
  const lacksKey = (command: Command) => Number(!shortcutOf(command, own));
  return (
    <Dialog title={t('palette.shortcuts')} onClose={() => paletteStore.set('closed')}>
      {groupByArea(commands).map(([area, ofArea]) => (
        <section key={area} className={styles.group}>
          <h3>{t(wordOf(area))}</h3>
          <dl>
            {ofArea
              .toSorted((a, b) => lacksKey(a) - lacksKey(b))
              .map((command) => (
                <KeyRow key={command.id} command={command} shown={commands} own={own} />
              ))}
          </dl>
        </section>
      ))}
      <p className={styles.hint}>
        {t('palette.layout_hint')}{' '}
        <Link href="/guide" onClick={() => paletteStore.set('closed')}>
          {t('nav.guide')}
        </Link>
      </p>
      {Object.keys(own).length > 0 && (
        <div>
          <Button onPress={() => saveKeys({})}>{t('keys.reset_all')}</Button>
        </div>
      )}
    </Dialog>
  );
}

function wordOf(area: string) {
  if (area === 'proposals') return 'keys.group_proposals';
  const id = `palette.group_${area}`;
  return isWord(id) ? id : 'palette.group_app';
}

function groupByArea(commands: readonly Command[]): [string, Command[]][] {
  const areas = new Map<string, Map<string, Command>>(order.map((area) => [area, new Map()]));
  for (const command of commands) {
    const name = command.id.split('.')[0]!;
    const area = areas.get(name) ?? areas.get('app')!;
    area.set(command.id, command);
  }
  return [...areas].flatMap(([area, byId]): [string, Command[]][] =>
    byId.size > 0 ? [[area, [...byId.values()]]] : [],
  );
}
