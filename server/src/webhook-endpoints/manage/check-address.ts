import { invalid } from '../../http/reply/refusal.ts';
import { checkUrl } from '../../outbound/check-url.ts';
import type { Resources } from '../../process/resources.ts';

/** Refuses an address that may not be called. It resolves the name, so it must run outside a transaction. */
export async function checkAddress({ config }: Pick<Resources, 'config'>, url: string): Promise<void> {
  const check = await checkUrl(url, { allow_private: config.webhookAllowPrivate });
  if (!check.ok) throw invalid({ detail: check.reason, pointer: '/url' });
}
