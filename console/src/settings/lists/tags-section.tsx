import type { Tag } from '@majlis/contract';
import { Tags } from 'lucide-react';
import { useState } from 'react';
import { useLiveQuery } from '../../live/live-query.ts';
import { settingsChanged } from '../../live/queries.ts';
import { request } from '../../live/request.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Field } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { List, Row, Soft } from '../../parts/list.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Notice } from '../../parts/notice.tsx';
import { tell } from '../../parts/toasts.ts';
import { isolated } from '../../words/isolated.ts';
import { t } from '../../words/words.ts';
import { isSettings } from '../is-settings.ts';
import { RemovalDialog, useOpened } from '../use-counts.tsx';
import styles from './lists.module.css';

const findableFrom = 8;

/** The tags that contacts have, with their numbers. */
export function TagsSection({ workspace_id }: { workspace_id: string }) {
  const base = `/workspaces/${workspace_id}`;
  const tags = useLiveQuery<{ data: Tag[] }>(`${base}/tags`, isSettings);
  const renamed = useOpened<Tag>();
  const deleted = useOpened<Tag>();
  const [text, setText] = useState('');
  const all = tags.data?.data ?? [];
  const wanted = text.trim().toLowerCase();
  const take = (tag: string) => request('POST', `${base}/tag-replacements`, { tag, to: null });
  return (
    <>
      <div className={styles.head}>
        <p>{t('lists.tags_hint')}</p>
      </div>
      {all.length >= findableFrom && (
        <div className={styles.find}>
          <Field label={t('lists.tags_find')} type="search" value={text} onChange={setText} />
        </div>
      )}
      <Loaded query={tags}>
        {({ data }) => {
          const found = data.filter(({ name }) => name.toLowerCase().includes(wanted));
          if (found.length === 0) {
            return (
              <Empty
                icon={<Tags aria-hidden />}
                title={t(data.length === 0 ? 'lists.tags_empty' : 'lists.tags_none')}
              />
            );
          }
          return (
            <List>
              {found.map((tag) => (
                <TagRow
                  key={tag.name}
                  tag={tag}
                  onRename={() => renamed.open(tag)}
                  onDelete={() => deleted.open(tag)}
                />
              ))}
            </List>
          );
        }}
      </Loaded>
      {renamed.opened && (
        <RenameDialog workspace_id={workspace_id} tag={renamed.opened} tags={all} onClose={renamed.close} />
      )}
      {deleted.opened && (
        <RemovalDialog
          title={t('lists.tag_delete_title', { name: isolated(deleted.opened.name) })}
          counts={`${base}/tag-use?${new URLSearchParams({ tag: deleted.opened.name })}`}
          words={{ contacts: 'use.tag_contacts' }}
          action={t('lists.delete')}
          act={() => take(deleted.opened!.name)}
          workspace_id={workspace_id}
          onClose={deleted.close}
        />
      )}
    </>
  );
}

function TagRow({
  tag: { name, contacts },
  onRename,
  onDelete,
}: {
  tag: Tag;
  onRename: () => void;
  onDelete: () => void;
}) {
  const named = isolated(name);
  return (
    <Row
      title={<bdi>{name}</bdi>}
      end={
        <>
          <Button look="quiet" aria-label={`${t('lists.tag_rename')}: ${named}`} onPress={onRename}>
            {t('lists.tag_rename')}
          </Button>
          <Button look="quiet" aria-label={`${t('lists.delete')}: ${named}`} onPress={onDelete}>
            {t('lists.delete')}
          </Button>
        </>
      }
    >
      <Soft>{t('lists.tag_count', { count: contacts })}</Soft>
    </Row>
  );
}

interface RenameProps {
  workspace_id: string;
  tag: Tag;
  tags: readonly Tag[];
  onClose: () => void;
}

/** Gives a tag another name. The name of another tag merges the two. */
function RenameDialog({ workspace_id, tag, tags, onClose }: RenameProps) {
  const [to, setTo] = useState(tag.name);
  const other = tags.find(({ name }) => name === to.trim() && name !== tag.name);
  async function send() {
    const body = { tag: tag.name, to: to.trim(), ...(other && { merges: true }) };
    const { contacts } = await request<{ contacts: number }>(
      'POST',
      `/workspaces/${workspace_id}/tag-replacements`,
      body,
    );
    settingsChanged(workspace_id);
    tell(t('lists.tag_done', { count: contacts }));
    onClose();
  }
  return (
    <Dialog title={t('lists.tag_rename_title', { name: isolated(tag.name) })} onClose={onClose}>
      <Form
        place="dialog"
        look={other ? 'danger' : 'primary'}
        submit={t(other ? 'lists.tag_merge' : 'lists.tag_rename')}
        send={send}
        onCancel={onClose}
      >
        <Field label={t('lists.name')} name="to" isRequired autoFocus value={to} onChange={setTo} />
        {other ? (
          <Notice kind="danger">{t('lists.tag_merges', { count: other.contacts })}</Notice>
        ) : (
          <Soft>{t('lists.tag_renames', { count: tag.contacts })}</Soft>
        )}
      </Form>
    </Dialog>
  );
}
