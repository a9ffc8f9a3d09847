import { onPersonLeft } from '../live/person-left.ts';
import { quotedStore } from './quoted.ts';

// The next person would send it without having chosen it.
onPersonLeft(() => quotedStore.set(undefined));
