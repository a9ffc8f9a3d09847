// biome-ignore lint/suspicious/noExplicitAny: a test reads members of answers, and a wrong member fails it.
export type AnyJson = any;
