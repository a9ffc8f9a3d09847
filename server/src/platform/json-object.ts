export type JsonObject = { [member: string]: unknown };
