import type { TemplateComponent } from '@majlis/contract';
import { parseId } from '../../database/ids.ts';
import { findMediaRow } from '../../media/queries.ts';
import type { AccountAccess } from '../../platform/access.ts';
import type { PlatformClient } from '../../platform/client.ts';
import type { TemplateFailure } from '../../platform/template.ts';
import type { Resources } from '../../process/resources.ts';
import type { StoredTemplate } from '../queries.ts';

export type SampleOutcome =
  | { type: 'ready'; components: TemplateComponent[] }
  /** The file was deleted in the meantime. */
  | { type: 'lacking'; reason: string }
  | TemplateFailure;

/** Uploads the sample file of a header and replaces its id by the platform's handle. */
export function createUploadSample({ pool, files }: Resources, platform: PlatformClient) {
  return async (account: AccountAccess, { workspace_id, components }: StoredTemplate): Promise<SampleOutcome> => {
    const place = components.findIndex(({ type, examples }) => type === 'header' && examples?.[0]?.startsWith('med_'));
    const header = components[place];
    if (!header || (header.format ?? 'text') === 'text') return { type: 'ready', components };

    const id = parseId('media', header.examples![0]!);
    const media = id && (await findMediaRow(pool, { workspace_id, id }));
    const file = media && (await files.open({ workspace_id, id }));
    if (!file) return { type: 'lacking', reason: 'The sample of the header is no longer there.' };
    const { mime, filename } = media;
    const upload = await platform.uploadSample(account, { mime, filename: filename ?? 'sample', ...file });
    if (upload.type !== 'uploaded') return upload;
    return { type: 'ready', components: components.with(place, { ...header, examples: [upload.handle] }) };
  };
}
