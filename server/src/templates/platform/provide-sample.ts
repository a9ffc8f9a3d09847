import type { TemplateComponent } from '@majlis/contract';
import { parseId } from '../../database/ids.ts';
import { findMediaRow } from '../../media/queries.ts';
import type { PlatformClient } from '../../platform/client.ts';
import type { AccountAccess, TemplateFailure } from '../../platform/types.ts';
import type { Resources } from '../../process/resources.ts';
import type { Template } from '../queries.ts';

export type Provided =
  | { type: 'ready'; components: TemplateComponent[] }
  /** The file was deleted since. */
  | { type: 'lacking'; reason: string }
  | TemplateFailure;

/** Gives the platform the file that is the sample of a header; in its place stands the platform's handle of it. */
export function createProvideSample({ pool, files }: Resources, platform: PlatformClient) {
  return async (account: AccountAccess, { workspace_id, components }: Template): Promise<Provided> => {
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
