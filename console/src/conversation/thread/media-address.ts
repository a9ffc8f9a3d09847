/** Where a browser reads the bytes of a file. */
export function mediaAddress(workspace_id: string, media_id: string): string {
  return `/console/v1/workspaces/${workspace_id}/media/${media_id}`;
}

/** `1.2 MB`, in the digits of the console. */
export function sizeInWords(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  const step = Math.min(units.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return `${value < 10 && step > 0 ? value.toFixed(1) : Math.round(value)} ${units[step]}`;
}

/** The types that browsers show. Others are files to download. */
export function isShownType(mime: string | undefined): boolean {
  return mime !== undefined && /^(image\/(jpeg|png|gif|webp|avif)|video\/(mp4|3gpp|webm)|audio\/.+)$/.test(mime);
}
