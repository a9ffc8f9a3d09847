const MB = 1024 * 1024;

/** The types of an upload, in the order of the platform's refusal (sections 4.1 and 4.3). */
const uploadTypes = [
  'audio/aac',
  'audio/mp4',
  'audio/mpeg',
  'audio/amr',
  'audio/ogg',
  'audio/opus',
  'application/vnd.ms-powerpoint',
  'application/msword',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/pdf',
  'text/plain',
  'application/vnd.ms-excel',
  'image/jpeg',
  'image/png',
  'image/webp',
  'video/mp4',
  'video/3gpp',
];

/** An extension of another type is refused; unknown or missing extensions pass. */
const extensions: Record<string, string[]> = {
  'image/jpeg': ['jpg', 'jpeg', 'jfif'],
  'image/png': ['png'],
  'image/webp': ['webp'],
  'video/mp4': ['mp4', 'm4v'],
  'video/3gpp': ['3gp', '3gpp'],
  'audio/aac': ['aac'],
  'audio/mp4': ['m4a', 'mp4'],
  'audio/mpeg': ['mp3', 'mpeg', 'mpga'],
  'audio/amr': ['amr'],
  'audio/ogg': ['ogg', 'oga', 'opus'],
  'audio/opus': ['opus', 'ogg'],
  'application/pdf': ['pdf'],
};

export function refusalOfType(received: string): string | undefined {
  if (uploadTypes.includes(baseType(received))) return undefined;
  return `(#100) Param file must be a file with one of the following types: ${uploadTypes.join(', ')}. Received file of type '${received}'.`;
}

export function maxBytesOf(mime_type: string): number {
  if (mime_type === 'image/webp') return 500 * 1024;
  const [kind] = mime_type.split('/');
  if (kind === 'image') return 5 * MB;
  return kind === 'video' || kind === 'audio' ? 16 * MB : 100 * MB;
}

export function contradicts(filename: string, mime_type: string): boolean {
  const extension = /\.([a-z0-9]+)$/i.exec(filename)?.[1]?.toLowerCase();
  if (extension === undefined) return false;
  const own = extensions[baseType(mime_type)];
  if (own?.includes(extension)) return false;
  return Object.values(extensions).some((others) => others.includes(extension));
}

function baseType(mime_type: string): string {
  return mime_type.split(';')[0]!.trim().toLowerCase();
}
