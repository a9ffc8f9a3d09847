import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { useLocation } from 'wouter';
import type { Membership } from '../../live/membership.ts';
import { Page } from '../../parts/page.tsx';
import { t } from '../../words/words.ts';
import { FieldsSection } from './fields-section.tsx';
import styles from './lists.module.css';
import { closingReasons, OrderedSection, stages } from './ordered-section.tsx';
import { TagsSection } from './tags-section.tsx';

const lists = ['stages', 'reasons', 'fields', 'tags'] as const;

/** What people choose from: stages, closing reasons, custom fields and tags. */
export function ListsPage({ membership, object: list }: { membership: Membership; object?: string | undefined }) {
  const [, navigate] = useLocation();
  const { workspace_id } = membership;
  const opened = lists.find((name) => name === list) ?? 'stages';
  return (
    <Page title={t('lists.title')} hint={t('lists.hint')}>
      <Tabs
        className={styles.tabs!}
        selectedKey={opened}
        onSelectionChange={(name) => navigate(`/w/${workspace_id}/lists/${name}`)}
      >
        <TabList className={styles.tabList!} aria-label={t('lists.title')}>
          {lists.map((name) => (
            <Tab key={name} id={name} className={styles.tab!}>
              {t(`lists.${name}`)}
            </Tab>
          ))}
        </TabList>
        {/* The key gives each list a panel of its own: a panel keeps its first id, which the other tabs would not name. */}
        <TabPanel key={opened} id={opened} className={styles.panel!}>
          {opened === 'stages' && <OrderedSection workspace_id={workspace_id} kind={stages} />}
          {opened === 'reasons' && <OrderedSection workspace_id={workspace_id} kind={closingReasons} />}
          {opened === 'fields' && <FieldsSection workspace_id={workspace_id} />}
          {opened === 'tags' && <TagsSection workspace_id={workspace_id} />}
        </TabPanel>
      </Tabs>
    </Page>
  );
}
