// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers member by member, and a wrong guess fails it.
export type AnyJson = any;
