import { type ComponentType, lazy } from 'react';
import { untilLoaded } from '../parts/lazy-piece.ts';
import { insteadOfPage, type StandIn } from '../parts/missing-part.ts';
import { loadWords } from '../words/words.ts';

/** A part of the console that the first view does not need, with its words and the answers that pages of settings share. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  standIn: StandIn<NoInfer<Props>> = insteadOfPage,
) {
  async function loadQueried(): Promise<ComponentType<Props>> {
    const queries = import('../live/with-queries.tsx');
    const [Part, { WithQueries }] = await Promise.all([load(), queries, loadWords('later')]);
    return (props) => (
      <WithQueries>
        <Part {...props} />
      </WithQueries>
    );
  }
  return lazy(async () => ({ default: await untilLoaded(loadQueried).catch(standIn) }));
}

/** A page of a person's own account, loaded with its words when it is opened. */
export function lazyOwn<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazyPart(async () => (await Promise.all([load(), loadWords('person')]))[0]);
}

/** A page for administrators, loaded with its words when it is opened. */
export function lazyDesk<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  standIn?: StandIn<NoInfer<Props>>,
) {
  return lazyPart(async () => (await Promise.all([load(), loadWords('desk')]))[0], standIn);
}
