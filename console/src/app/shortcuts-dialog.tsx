import { useStore } from '../live/store.ts';
import { Dialog } from '../parts/dialog.tsx';
import { isWord, t } from '../words/words.ts';
import { type Command, commandStore } from './commands.ts';
import { Keys } from './keys.tsx';
import styles from './palette.module.css';
import { paletteStore } from './palette-store.ts';

const order = ['list', 'conversation', 'composer', 'go', 'app'];

/** Every shortcut of the page, by what it acts on. */
export function ShortcutsDialog() {
  const groups = groupByArea(useStore(commandStore));
  return (
    <Dialog title={t('palette.shortcuts')} onClose={() => paletteStore.set('closed')}>
      {groups.map(([area, commands]) => (
        <section key={area} className={styles.group}>
          <h3>{t(wordOf(area))}</h3>
          <dl>
            {commands.map(({ id, label, shortcut }) => (
              <div key={id} className={styles.shortcut}>
                <dt>
                  <bdi>{label}</bdi>
                </dt>
                <dd>{shortcut && <Keys shortcut={shortcut} />}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <p className={styles.hint}>{t('palette.layout_hint')}</p>
    </Dialog>
  );
}

function wordOf(area: string) {
  const id = `palette.group_${area}`;
  return isWord(id) ? id : 'palette.group_app';
}

function groupByArea(commands: readonly Command[]): [string, Command[]][] {
  const areas = new Map<string, Map<string, Command>>(order.map((area) => [area, new Map()]));
  for (const command of commands) {
    if (!command.shortcut) continue;
    const name = command.id.split('.')[0]!;
    const area = areas.get(name) ?? areas.get('app')!;
    area.set(command.id, command);
  }
  return [...areas].flatMap(([area, byId]): [string, Command[]][] =>
    byId.size > 0 ? [[area, [...byId.values()]]] : [],
  );
}
