import { type ComponentType, lazy } from 'react';
import { untilLoaded } from '../parts/lazy-piece.ts';
import { missingPart } from '../parts/missing-part.ts';
import { loadWords } from '../words/words.ts';

/** A part of the console that the first view does not need, with its words and the answers that pages of settings share. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const loadAll = () => Promise.all([load(), import('../live/with-queries.tsx'), loadWords('later')]);
  return lazy(async () => {
    const loaded = await untilLoaded(loadAll).catch((error: unknown) => missingPart(error, 'throws'));
    if (!Array.isArray(loaded)) return { default: loaded as ComponentType<Props> };
    const [Part, { WithQueries }] = loaded;
    const Queried = (props: Props) => (
      <WithQueries>
        <Part {...props} />
      </WithQueries>
    );
    return { default: Queried };
  });
}

/** A page of a person's own account, loaded with its words when it is opened. */
export function lazyOwn<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazyPart(async () => (await Promise.all([load(), loadWords('person')]))[0]);
}

/** A page for administrators, loaded with its words when it is opened. */
export function lazyDesk<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazyPart(async () => (await Promise.all([load(), loadWords('desk')]))[0]);
}
