import type { Media } from '@majlis/contract';
import { Upload as UploadIcon, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { Failure } from '../live/request.ts';
import { Button } from '../parts/button.tsx';
import { isolated } from '../words/isolated.ts';
import { t } from '../words/words.ts';
import styles from './panel.module.css';
import { type Upload, uploadFile } from './upload.ts';

export interface HeaderFileState {
  name?: string;
  /** The address of a picture in this tab. */
  preview?: string;
  progress?: number;
  media?: Pick<Media, 'id'>;
  failure?: Failure;
  choose: (file: File) => void;
  remove: () => void;
}

/** A file that was uploaded before. */
export type KeptFile = Pick<HeaderFileState, 'name' | 'preview' | 'media'>;

/** The file of a template's header, which is uploaded as soon as it is chosen. */
export function useHeaderFile(workspace_id: string, kept: KeptFile = {}): HeaderFileState {
  const [state, setState] = useState<Omit<HeaderFileState, 'choose' | 'remove'>>(kept);
  const running = useRef<Upload>(undefined);

  async function choose(file: File): Promise<void> {
    remove();
    const begun = {
      name: file.name,
      ...(file.type.startsWith('image/') && { preview: URL.createObjectURL(file) }),
    };
    setState({ ...begun, progress: 0 });
    const upload = uploadFile(workspace_id, file, (progress) => {
      if (running.current === upload) setState({ ...begun, progress });
    });
    running.current = upload;
    try {
      const media = await upload.done;
      if (running.current === upload) setState({ ...begun, media });
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      if (running.current === upload) setState({ ...begun, failure });
    }
  }

  function remove(): void {
    running.current?.cancel();
    running.current = undefined;
    if (state.preview) URL.revokeObjectURL(state.preview);
    setState({});
  }

  return { ...state, choose: (file) => void choose(file), remove };
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
