import annotations from 'cldr-annotations-full/annotations/en/annotations.json' with { type: 'json' };
import { listEmoji } from './list-emoji.ts';

// The build puts the value of this file in its place.
export const names = listEmoji(annotations);
