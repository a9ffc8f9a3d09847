import type { ErrorDetail, TemplateComponent } from '@majlis/contract';
import { parseId } from '../../database/ids.ts';
import type { Transaction } from '../../database/transaction.ts';
import { unknownReference } from '../../http/reply/refusal.ts';
import { lockForUse } from '../../media/queries.ts';
import { isSampleType } from '../rules.ts';

/** Checks header samples that are files of the workspace: each must exist and have a fitting type. */
export async function findSampleFaults(
  tx: Transaction,
  workspace_id: string,
  components: readonly TemplateComponent[],
): Promise<ErrorDetail[]> {
  const samples = components.flatMap(({ type, format = 'text', examples: [sample = ''] = [] }, index) => {
    const isFile = type === 'header' && format !== 'text' && sample.startsWith('med_');
    return isFile ? [{ format, id: parseId('media', sample), pointer: `/components/${index}/examples/0` }] : [];
  });
  const keys = samples.flatMap(({ id }) => (id ? [{ workspace_id, id }] : []));
  const media = keys.length > 0 ? await lockForUse(tx, keys) : [];
  const mimes = new Map(media.map(({ id, mime }) => [id, mime]));
  return samples.flatMap(({ format, id, pointer }) => {
    const mime = id && mimes.get(id);
    if (!mime) return [unknownReference('names no file', pointer)];
    const detail = `is of type ${mime}, which is no sample of a header that is a ${format}`;
    return isSampleType(format, mime) ? [] : [{ detail, pointer }];
  });
}
