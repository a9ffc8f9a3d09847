/** The kind of the jobs that remove the bytes of deleted media. The group is the workspace, the payload an array of ids. */
export const removeFiles = 'media.remove_files';

/** The kind of the job that removes unused media: uploads that were never sent, and bytes without a row. */
export const sweepMedia = 'media.sweep_media';
