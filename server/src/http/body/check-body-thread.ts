import { checkBody } from './check-body.ts';

/** The entry of the thread. */
export default checkBody;
