import type { ThreadMessage } from '@majlis/console-api';
import { ShoppingBag } from 'lucide-react';
import { t } from '../../words/words.ts';
import { MessageText } from './message-text.tsx';
import styles from './order-content.module.css';

/** What the contact ordered, product by product, below the contact's own words. */
export function OrderContent({ order }: { order: NonNullable<ThreadMessage['order']> }) {
  const { catalog_id, note, products } = order;
  return (
    <div className={styles.order}>
      {note && <MessageText text={note} />}
      <strong className={styles.title}>
        <ShoppingBag size={16} aria-hidden />
        <span dir="auto">{catalog_id ? t('thread.order_from', { catalogue: catalog_id }) : t('thread.order')}</span>
      </strong>
      <ul className={styles.products}>
        {products.map(({ id, quantity, price, currency }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the products of an order never change.
          <li key={at}>
            <span>{quantity ?? '?'} ×</span>
            <bdi>{id || '?'}</bdi>
            {price !== undefined && (
              <bdi>
                {price} {currency}
              </bdi>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
