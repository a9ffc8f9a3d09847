import { Upload as UploadIcon, X } from 'lucide-react';
import { useRef } from 'react';
import { useStore } from '../live/store.ts';
import { Button } from '../parts/button.tsx';
import { isolated } from '../words/isolated.ts';
import { t } from '../words/words.ts';
import type { HeaderFile as File, HeaderUpload } from './header-upload.ts';
import styles from './panel.module.css';

export interface HeaderFileState extends File {
  choose: HeaderUpload['choose'];
  remove: HeaderUpload['remove'];
}

/** The file of a template's header, which is uploaded as soon as it is chosen. */
export function useHeaderFile({ store, choose, remove }: HeaderUpload): HeaderFileState {
  return { ...useStore(store), choose, remove };
}

const accepted: Record<string, string> = {
  image: 'image/jpeg,image/png',
  video: 'video/mp4,video/3gpp',
  document: '',
};

export function HeaderFile({ format, file }: { format: string; file: HeaderFileState }) {
  const picker = useRef<HTMLInputElement>(null);
  const { name, progress, failure, media } = file;
  return (
    <div className={styles.area}>
      <span>{t('composer.template_file')}</span>
      <div className={styles.file}>
        <Button onPress={() => picker.current?.click()}>
          <UploadIcon size={16} aria-hidden />
          {t('composer.template_file_choose')}
        </Button>
        {name && <bdi>{name}</bdi>}
        {progress !== undefined && !media && !failure && <progress max={1} value={progress} aria-label={name} />}
        {name && (
          <Button
            look="quiet"
            aria-label={t('composer.attachment_remove', { name: isolated(name) })}
            onPress={file.remove}
          >
            <X size={16} aria-hidden />
          </Button>
        )}
      </div>
      {failure && <p role="alert">{failure.sentence}</p>}
      <input
        ref={picker}
        type="file"
        hidden
        accept={accepted[format]}
        aria-label={t('composer.template_file')}
        onChange={({ currentTarget }) => {
          const [chosen] = currentTarget.files ?? [];
          if (chosen) file.choose(chosen);
          currentTarget.value = '';
        }}
      />
    </div>
  );
}
