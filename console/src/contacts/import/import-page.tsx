import { useState } from 'react';
import type { Membership } from '../../live/membership.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { t } from '../../words/words.ts';
import { ChooseFile, type ReadFile } from './choose-file.tsx';
import { ImportList } from './import-list.tsx';
import { MapFile } from './map-file.tsx';

/** Imports contacts of a CSV file: the file, its columns, a dry run, and the imports that the service performs. */
export function ImportPage({ membership: { workspace_id } }: { membership: Membership }) {
  const [file, setFile] = useState<ReadFile>();
  const [isHandedOver, setHandedOver] = useState(false);
  const back = <BackLink href={`/w/${workspace_id}/contacts`}>{t('contacts.back')}</BackLink>;
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
