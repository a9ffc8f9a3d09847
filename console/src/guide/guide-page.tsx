import { Fragment } from 'react';
import { guide as ar } from '../../../docs/agents.ar.md';
import { guide as en } from '../../../docs/agents.md';
import { useStore } from '../live/store.ts';
import { KeyCaps } from '../parts/key-caps.tsx';
import { Page } from '../parts/page.tsx';
import { languageStore } from '../words/words.ts';
import type { Block, Span } from './guide.ts';
import styles from './guide-page.module.css';

/** The inbox in a page, with its keys. The documentation has the same text. */
export function GuidePage() {
  const guide = useStore(languageStore) === 'ar' ? ar : en;
  return (
    <Page title={guide.title}>
      <article className={styles.guide}>
        {guide.blocks.map((block, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change.
          <Part key={index} block={block} />
        ))}
      </article>
    </Page>
  );
}

function Part({ block }: { block: Block }) {
  switch (block.type) {
    case 'heading':
      return <h2>{block.text}</h2>;
    case 'text':
      return (
        <p>
          <Line spans={block.spans} />
        </p>
      );
    case 'list':
      return (
        <ul>
          {block.items.map((spans, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change.
            <li key={index}>
              <Line spans={spans} />
            </li>
          ))}
        </ul>
      );
    case 'keys':
      return (
        <dl>
          {block.rows.map(({ keys, label }) => (
            <div key={`${keys.join()} ${label}`}>
              <dt>{label}</dt>
              <dd>
                <KeyCaps keys={keys} />
              </dd>
            </div>
          ))}
        </dl>
      );
  }
}

function Line({ spans }: { spans: readonly Span[] }) {
  return spans.map((span, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change.
    <Fragment key={index}>{drawn(span)}</Fragment>
  ));
}

function drawn(span: Span) {
  if (span.type === 'keys') return <KeyCaps keys={span.keys} />;
  return span.type === 'word' ? <strong>{span.text}</strong> : span.text;
}
