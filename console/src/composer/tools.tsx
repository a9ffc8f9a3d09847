import type { DraftKind } from '@majlis/console-api';
import { LayoutTemplate, Mic, Paperclip, Plus, Sparkles } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { Toolbar } from 'react-aria-components';
import { Button } from '../parts/button.tsx';
import { Menu } from '../parts/menu.tsx';
import { t } from '../words/words.ts';
import styles from './composer.module.css';
import { type Action, aiActions, moreActions, type Refused, type ToolAction } from './composer-actions.tsx';

interface Props {
  mode: DraftKind;
  refused: Refused;
  picker: RefObject<HTMLInputElement | null>;
  act: (action: ToolAction) => void;
  onFiles: (files: readonly File[]) => void;
}

/** What can be put into a message besides text. */
export function Tools({ mode, refused, picker, act, onFiles }: Props) {
  const { isWindowOver } = refused;
  if (mode === 'note') return <p className={styles.hint}>{t('composer.note_hint')}</p>;
  const tool = (action: ToolAction, label: string, icon: ReactNode) => (
    <Button look="quiet" aria-label={label} onPress={() => act(action)}>
      {icon}
    </Button>
  );
  return (
    <Toolbar className={styles.tools!} aria-label={t('composer.tools')}>
      {!isWindowOver && tool('attach', t('composer.attach'), <Paperclip size={18} aria-hidden />)}
      {!isWindowOver && tool('voice', t('composer.voice'), <Mic size={18} aria-hidden />)}
      {!isWindowOver && tool('templates', t('composer.templates'), <LayoutTemplate size={18} aria-hidden />)}
      <Menu label={t('composer.ai')} entries={aiActions(refused).map(toEntry)} onAction={(id) => act(id as ToolAction)}>
        <Sparkles size={18} aria-hidden />
      </Menu>
      {!isWindowOver && (
        <Menu
          label={t('composer.more')}
          entries={moreActions(refused).map(toEntry)}
          onAction={(id) => act(id as ToolAction)}
        >
          <Plus size={18} aria-hidden />
        </Menu>
      )}
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // The same file may be chosen once more.
          currentTarget.value = '';
        }}
      />
    </Toolbar>
  );
}

function toEntry({ id, label, icon }: Action) {
  return { id, label: t(label), icon };
}
