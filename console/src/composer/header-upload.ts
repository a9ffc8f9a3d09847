import type { Media } from '@majlis/contract';
import { createStore, type Store } from '../live/create-store.ts';
import { Failure } from '../live/request.ts';
import { type Upload, uploadFile } from './upload.ts';

export interface HeaderFile {
  name?: string;
  /** The address of a picture in this tab. */
  preview?: string;
  progress?: number;
  media?: Pick<Media, 'id'>;
  failure?: Failure;
}

/** A file that was uploaded before. */
export type KeptFile = Pick<HeaderFile, 'name' | 'preview' | 'media'>;

/** The file of a template's header. Its upload goes on while nobody sees it. */
export interface HeaderUpload {
  readonly store: Store<HeaderFile>;
  choose(file: File): void;
  remove(): void;
}

export function createHeaderUpload(workspace_id: string, kept: KeptFile = {}): HeaderUpload {
  const store = createStore<HeaderFile>(kept);
  let running: Upload | undefined;

  async function choose(file: File): Promise<void> {
    remove();
    const begun = {
      name: file.name,
      ...(file.type.startsWith('image/') && { preview: URL.createObjectURL(file) }),
    };
    store.set({ ...begun, progress: 0 });
    const upload = uploadFile(workspace_id, file, (progress) => {
      if (running === upload) store.set({ ...begun, progress });
    });
    running = upload;
    try {
      const media = await upload.done;
      if (running === upload) store.set({ ...begun, media });
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      if (running === upload) store.set({ ...begun, failure });
    }
  }

  function remove(): void {
    running?.cancel();
    running = undefined;
    const { preview } = store.get();
    if (preview) URL.revokeObjectURL(preview);
    store.set({});
  }

  return { store, choose: (file) => void choose(file), remove };
}
