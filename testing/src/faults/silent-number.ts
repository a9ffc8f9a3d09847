/** The simulator accepts sends to this number and never reports a status. */
export const silentNumber = '+96891700012';
