import type { ErrorDetail, TemplateComponent } from '@majlis/contract';
import { parseId } from '../../database/ids.ts';
import type { Transaction } from '../../database/transaction.ts';
import { lockForUse } from '../../media/queries.ts';
import { isSampleType } from '../rules.ts';

/** What is wrong with the samples of headers that are files of the workspace: each must be there, of a type that fits. */
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
    if (!mime) return [{ detail: 'names no file', pointer }];
    const detail = `is of type ${mime}, which is no sample of a header that is a ${format}`;
    return isSampleType(format, mime) ? [] : [{ detail, pointer }];
  });
}
