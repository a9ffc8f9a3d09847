import type { Readable } from 'node:stream';
import type { IncomingFile } from './incoming-files.ts';

/** Ids alone identify a file: no text of a client becomes part of a path. */
export interface FileKey {
  workspace_id: string;
  id: string;
}

export interface StoredFile {
  size_bytes: number;
  /** The caller reads the stream to its end or destroys it. */
  bytes: Readable;
}

/** Holds the bytes of media. The database says which files exist; the sweep removes all others. */
export interface FileStore {
  /** Opens an empty file that an upload fills. */
  receive(): Promise<IncomingFile>;
  /** Takes over a finished file. After this resolves, the whole file survives a crash of the machine. */
  keep(key: FileKey, file: IncomingFile): Promise<void>;
  /** Undefined if there is no such file. */
  open(key: FileKey): Promise<StoredFile | undefined>;
  /** Resolves for a missing file too. */
  remove(key: FileKey): Promise<void>;
  list(): AsyncIterable<FileKey>;
  /** Removes the partial files of uploads that a killed process left behind. */
  removeLeftovers(): Promise<void>;
  close(): void;
}
