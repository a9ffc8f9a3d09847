import { Search } from 'lucide-react';
import {
  Dialog as AriaDialog,
  Autocomplete,
  Input,
  Menu,
  MenuItem,
  Modal,
  ModalOverlay,
  SearchField,
  useFilter,
} from 'react-aria-components';
import { useStore } from '../live/store.ts';
import popover from '../parts/popover.module.css';
import { t } from '../words/words.ts';
import { type Command, commandStore } from './commands.ts';
import { Keys } from './keys.tsx';
import styles from './palette.module.css';
import { paletteStore } from './palette-store.ts';

/** Every command of the page, found by its name. */
export function Palette() {
  const commands = latestById(useStore(commandStore));
  const { contains } = useFilter({ sensitivity: 'base' });
  const close = () => paletteStore.set('closed');
  function run(id: string) {
    close();
    // The dialog gives the focus back first. A command may move it.
    setTimeout(() => commands.find((command) => command.id === id)?.run(), 50);
  }
  return (
    <ModalOverlay isOpen isDismissable onOpenChange={(isOpen) => !isOpen && close()} className={styles.overlay!}>
      <Modal className={styles.modal!}>
        <AriaDialog aria-label={t('palette.title')} className={styles.palette!}>
          <Autocomplete filter={contains}>
            <SearchField autoFocus aria-label={t('palette.search')} className={styles.field!}>
              <Search size={18} aria-hidden />
              <Input className={styles.input!} placeholder={t('palette.search')} dir="auto" />
            </SearchField>
            <Menu
              aria-label={t('palette.title')}
              className={styles.items!}
              items={commands}
              onAction={(id) => run(String(id))}
              renderEmptyState={() => <p className={styles.none}>{t('palette.none')}</p>}
            >
              {({ id, label, icon, shortcut }) => (
                <MenuItem id={id} textValue={label} className={popover.item!}>
                  <span className={styles.icon}>{icon}</span>
                  <bdi className={styles.label}>{label}</bdi>
                  {shortcut && <Keys shortcut={shortcut} />}
                </MenuItem>
              )}
            </Menu>
          </Autocomplete>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** Commands of the open conversation come before those of the frame, which was shown first. */
function latestById(commands: readonly Command[]): Command[] {
  const byId = new Map<string, Command>();
  for (const command of commands) if (!command.isKeyOnly) byId.set(command.id, command);
  return [...byId.values()].sort((a, b) => Number(isGeneral(a)) - Number(isGeneral(b)));
}

function isGeneral({ id }: Command): boolean {
  return id.startsWith('go.') || id.startsWith('app.');
}
