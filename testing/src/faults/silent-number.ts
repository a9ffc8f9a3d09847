/** The simulator takes what is sent to this number, and never reports anything of it. */
export const silentNumber = '+96891700012';
