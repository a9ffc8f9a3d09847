import { Search } from 'lucide-react';
import { useState } from 'react';
import {
  Dialog as AriaDialog,
  Autocomplete,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  Modal,
  ModalOverlay,
  SearchField,
  useFilter,
} from 'react-aria-components';
import { useLocation } from 'wouter';
import { useStore } from '../live/store.ts';
import { Avatar } from '../parts/avatar.tsx';
import popover from '../parts/popover.module.css';
import { t } from '../words/words.ts';
import { type Command, commandStore } from './commands.ts';
import { takeLetters } from './early-letters.ts';
import { useFoundConversations, workspaceIn } from './found-conversations.ts';
import { Keys } from './keys.tsx';
import { openConversation } from './open-conversation.ts';
import styles from './palette.module.css';
import { closePalette } from './palette-store.ts';

/** Every command of the page by its name, and every conversation by its customer. */
export function Palette() {
  const [text, setText] = useState('');
  const [location] = useLocation();
  const workspace_id = workspaceIn(location);
  const { contains } = useFilter({ sensitivity: 'base' });
  const commands = latestById(useStore(commandStore)).filter(({ label }) => contains(label, text));
  const conversations = useFoundConversations(workspace_id, text);
  function onAction(id: string) {
    closePalette();
    const conversation = conversations.find((one) => one.id === id);
    if (conversation && workspace_id) return openConversation(workspace_id, id);
    const command = commands.find((one) => one.id === id);
    // The dialog gives the focus back one frame later. A command may move it.
    if (command) requestAnimationFrame(() => requestAnimationFrame(() => command.run()));
  }
  return (
    <ModalOverlay isOpen isDismissable onOpenChange={(isOpen) => !isOpen && closePalette()} className={styles.overlay!}>
      <Modal className={styles.modal!}>
        <AriaDialog aria-label={t('palette.title')} className={styles.palette!}>
          <Autocomplete inputValue={text} onInputChange={setText}>
            <SearchField
              autoFocus
              aria-label={t('palette.search')}
              className={styles.field!}
              onFocus={() => setText((now) => now + takeLetters())}
            >
              <Search size={18} aria-hidden />
              <Input className={styles.input!} placeholder={t('palette.search')} dir="auto" />
            </SearchField>
            <Menu
              aria-label={t('palette.title')}
              className={styles.items!}
              onAction={(id) => onAction(String(id))}
              renderEmptyState={() => <p className={styles.none}>{t('palette.none')}</p>}
            >
              {commands.map(({ id, label, icon, shortcut }) => (
                <MenuItem key={id} id={id} textValue={label} className={popover.item!}>
                  <span className={styles.icon}>{icon}</span>
                  <bdi className={styles.label}>{label}</bdi>
                  <Keys of={{ id, shortcut }} />
                </MenuItem>
              ))}
              {conversations.length > 0 && (
                <MenuSection>
                  <Header className={styles.heading!}>{t('palette.conversations')}</Header>
                  {conversations.map(({ id, contact_name, contact_handle }) => {
                    const name = contact_name ?? contact_handle ?? t('inbox.unnamed');
                    return (
                      <MenuItem key={id} id={id} textValue={name} className={popover.item!}>
                        <Avatar name={name} size="xs" />
                        <bdi className={styles.label}>{name}</bdi>
                        {contact_name && contact_handle && (
                          <bdi dir="ltr" className={styles.handle}>
                            {contact_handle}
                          </bdi>
                        )}
                      </MenuItem>
                    );
                  })}
                </MenuSection>
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
