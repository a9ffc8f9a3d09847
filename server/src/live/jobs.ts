/** Deletes old changes every minute. */
export const forgetLiveChanges = 'live.forget_changes';
