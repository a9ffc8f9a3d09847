/** A resumable upload with the bytes received so far. */
export type ResumableUpload = { id: string; file_type: string; length: number; bytes: Buffer };
