/**
 * Accepted types of an upload (section 4.1), with the declared type and file extension. The platform refuses an extension
 * that contradicts the type, and `audio/opus` (section 4.3). It takes WebP for a sticker, so WebP is left out.
 */
const uploadTypes: Record<string, { type?: string; ending: string }> = {
  'image/jpeg': { ending: 'jpg' },
  'image/png': { ending: 'png' },
  'video/mp4': { ending: 'mp4' },
  'video/3gpp': { ending: '3gp' },
  'audio/aac': { ending: 'aac' },
  'audio/mp4': { ending: 'm4a' },
  'audio/mpeg': { ending: 'mp3' },
  'audio/amr': { ending: 'amr' },
  'audio/ogg; codecs=opus': { type: 'audio/ogg', ending: 'ogg' },
  'text/plain': { ending: 'txt' },
  'application/pdf': { ending: 'pdf' },
  'application/msword': { ending: 'doc' },
  'application/vnd.ms-excel': { ending: 'xls' },
  'application/vnd.ms-powerpoint': { ending: 'ppt' },
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': { ending: 'docx' },
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': { ending: 'xlsx' },
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': { ending: 'pptx' },
};

/** How to upload a file of this type; undefined where the platform only fetches it from an address. */
export function uploadTypeOf(mime: string): { type: string; ending: string } | undefined {
  const known = uploadTypes[mime];
  return known && { type: mime, ...known };
}
