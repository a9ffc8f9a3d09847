import { type FunctionComponent, useEffect } from 'react';
import { isPartMissingStore } from '../live/outdated.ts';

/** Stands in the place of a part that is not there any more, as after an upgrade. The shell offers a reload. */
export type StandIn<Props> = (error: unknown) => FunctionComponent<Props>;

/** What a person opens in front of the page or within it. Where nothing closes it, it stays open. */
export interface Closable {
  onClose?: (() => void) | undefined;
}

/** The shell replaces the page. */
export const insteadOfPage: StandIn<object> = (error) => () => {
  throw error;
};

/** The page goes on without the part. */
export const insteadOfPiece: StandIn<object> = () => () => {
  useOfferedReload();
  return null;
};

/** What the person opened closes again, so that nothing around it is lost. */
export const insteadOfClosable: StandIn<Closable> =
  () =>
  ({ onClose }) => {
    useOfferedReload();
    useEffect(() => onClose?.(), [onClose]);
    return null;
  };

function useOfferedReload(): void {
  useEffect(() => isPartMissingStore.set(true), []);
}
