/** A resumable upload, as far as it has come. */
export type ResumableUpload = { id: string; file_type: string; length: number; bytes: Buffer };
