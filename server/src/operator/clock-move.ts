import { type Static, Type } from 'typebox';

const hundredYearsInSeconds = 100 * 366 * 86_400;

/** A move of the test clock, never back. */
export const ClockMove = Type.Object({ advance_seconds: Type.Number({ minimum: 0, maximum: hundredYearsInSeconds }) });
export type ClockMove = Static<typeof ClockMove>;

/** Timestamps have years of four digits. */
export const latestMoment = Date.UTC(9999, 11, 31);
