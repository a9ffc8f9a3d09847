import type { Readable } from 'node:stream';
import type { IncomingFile } from './incoming-file.ts';

/** A file is known by ids alone: nothing that a client wrote becomes part of a path. */
export interface FileKey {
  workspace_id: string;
  id: string;
}

export interface StoredFile {
  size_bytes: number;
  /** To be read to its end or destroyed. */
  bytes: Readable;
}

/** Where the bytes of media are. The database says which of them exist; what it does not know is swept away. */
export interface FileStore {
  /** An empty file to be filled. */
  receive(): Promise<IncomingFile>;
  /** Takes a finished file over: once this resolves, it is there whole, whatever happens to the machine. */
  keep(key: FileKey, file: IncomingFile): Promise<void>;
  /** Undefined where there is none. */
  open(key: FileKey): Promise<StoredFile | undefined>;
  /** Removing what is not there is done already. */
  remove(key: FileKey): Promise<void>;
  list(): AsyncIterable<FileKey>;
  /** Removes what uploads left half received when a process was killed. */
  removeLeftovers(): Promise<void>;
  close(): void;
}
