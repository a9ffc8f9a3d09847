export type Language = 'en' | 'ar';

/** The languages of the console that a test file is tried in: both, or the one that its run gave it (TEST_LANGUAGE). */
export const languages: readonly Language[] = (['en', 'ar'] as const).filter(
  (language) => (process.env.TEST_LANGUAGE ?? language) === language,
);
