export const searchedKinds = ['all', 'people', 'messages'] as const;
export const authors = ['anyone', 'contact', 'business', 'note'] as const;
export const periods = ['any', 'week', 'month', 'year'] as const;

/** What is searched. The author and the period are of messages. */
export interface SearchFilter {
  kind: (typeof searchedKinds)[number];
  author: (typeof authors)[number];
  period: (typeof periods)[number];
}
export const everything: SearchFilter = { kind: 'all', author: 'anyone', period: 'any' };
