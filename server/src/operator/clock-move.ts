import { type Static, Type } from 'typebox';

const hundredYearsInSeconds = 100 * 366 * 86_400;

/** How far the test clock is moved: never back. */
export const ClockMove = Type.Object({ advance_seconds: Type.Number({ minimum: 0, maximum: hundredYearsInSeconds }) });
export type ClockMove = Static<typeof ClockMove>;

/** Timestamps have years of four digits. */
export const latestMoment = Date.UTC(9999, 11, 31);
