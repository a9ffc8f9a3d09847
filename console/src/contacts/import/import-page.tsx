import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Membership } from '../../live/membership.ts';
import { Notice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { t } from '../../words/words.ts';
import styles from '../contacts-page.module.css';
import { ChooseFile, type ReadFile } from './choose-file.tsx';
import { ImportList } from './import-list.tsx';
import { MapFile } from './map-file.tsx';

/** Imports contacts of a CSV file: the file, its columns, a dry run, and the imports that the service performs. */
export function ImportPage({ membership: { workspace_id } }: { membership: Membership }) {
  const [file, setFile] = useState<ReadFile>();
  const [isHandedOver, setHandedOver] = useState(false);
  const back = (
    <Link href={`/w/${workspace_id}/contacts`} className={styles.back!}>
      <ArrowLeft size={18} data-directional aria-hidden />
      {t('contacts.back')}
    </Link>
  );
  return (
    <Page title={t('import.title')} hint={t('import.hint')} action={back}>
      {isHandedOver && <Notice kind="success">{t('import.handed_over')}</Notice>}
      {file ? (
        <MapFile
          key={file.key}
          workspace_id={workspace_id}
          file={file}
          onOther={() => setFile(undefined)}
          onHandedOver={() => {
            setFile(undefined);
            setHandedOver(true);
          }}
        />
      ) : (
        <ChooseFile
          onRead={(read) => {
            setFile(read);
            setHandedOver(false);
          }}
        />
      )}
      <ImportList workspace_id={workspace_id} />
    </Page>
  );
}
