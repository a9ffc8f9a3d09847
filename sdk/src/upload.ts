/** A file to upload. A `Blob` of `fs.openAsBlob(path)` is read from the disk while it is sent. */
export type Upload = Blob | { content: Blob | ArrayBuffer | Uint8Array | string; filename?: string; mime?: string };

export function formOf(file: Upload): FormData {
  const { content, filename, mime } = file instanceof Blob ? { content: file, filename: nameOf(file), mime: '' } : file;
  const type = mime || (content instanceof Blob ? content.type : '');
  // A part without a type would be announced as application/octet-stream, which says as little.
  const blob =
    content instanceof Blob && content.type === type
      ? content
      : new Blob([content as Uint8Array<ArrayBuffer>], { type });
  const form = new FormData();
  form.append('file', blob, filename ?? 'file');
  return form;
}

function nameOf(file: Blob): string | undefined {
  return (file as { name?: string }).name;
}
