export * from './api-keys.ts';
export * from './audit.ts';
export * from './errors.ts';
export * from './members.ts';
export type * from './operation.ts';
export { type ConsoleOperationId, consoleOperations } from './operations.ts';
export * from './roles.ts';
export * from './session.ts';
export * from './sign-in.ts';
