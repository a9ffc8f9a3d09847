import type { desk } from './en/desk.ts';
import type { entrance } from './en/entrance.ts';
import type { frame } from './en/frame.ts';
import type { keys } from './en/keys.ts';
import type { later } from './en/later.ts';
import type { person } from './en/person.ts';
import type { proposals } from './en/proposals.ts';
import type { tools } from './en/tools.ts';

/** Every word of the console, whichever catalogue has it. */
export type WordId =
  | keyof typeof entrance
  | keyof typeof frame
  | keyof typeof later
  | keyof typeof keys
  | keyof typeof person
  | keyof typeof proposals
  | keyof typeof tools
  | keyof typeof desk;
