import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findMentions } from './find-mentions.ts';

const teammates = [
  { id: 'omar', name: 'Omar Ali' },
  { id: 'other omar', name: 'OMAR Said' },
  { id: 'aisha', name: ' Aisha  Said ' },
  { id: 'ahmad', name: 'أحمد الحارثي' },
  { id: 'luc', name: 'Jean-Luc Picard' },
  { id: 'jean', name: 'Jean Valjean' },
  { id: 'neil', name: "O'Neil" },
  { id: 'zoe', name: 'Zoë' },
  { id: 'nobody', name: '' },
];

describe('a mention', () => {
  const cases: [string, string, string[]][] = [
    ['names everyone of that first name', 'ask @Omar', ['omar', 'other omar']],
    ['is read in any case', '@aISHA please', ['aisha']],
    ['is read in any spelling of Arabic letters', 'يا @احمد تابع', ['ahmad']],
    ['is read with vowel signs and marks of direction', 'يا @\u200fأَحْمَد\u200f، تابع', ['ahmad']],
    ['is read behind a letter that Arabic joins to names', 'و@أحمد', ['ahmad']],
    ['is read with and without its accents, however composed', '@Zoe @Zoe\u0308', ['zoe']],
    ['ends at punctuation', 'Thanks (@Aisha), @Aisha! @Aisha. @Aisha: @Aisha?', ['aisha']],
    ['ends at an Arabic comma', '@أحمد، شكرا', ['ahmad']],
    ['ends before a possessive', "@Aisha's and @Aisha’s", ['aisha']],
    ['is the longest name that fits', '@Jean-Luc', ['luc']],
    ['is the shorter name where no longer one fits', '@Jean-Paul @Jean-', ['jean']],
    ['may hold an apostrophe', "@O'Neil", ['neil']],
    ['may follow a line break or a sentence without a space', 'Done.@Aisha\n@Omar', ['aisha', 'omar', 'other omar']],
    ['is counted once', '@Aisha @Aisha', ['aisha']],
    ['is no part of a longer word', '@Omary @Aishas @Jeanette', []],
    ['is not in an e-mail address', 'omar@aisha.example, a.b+c@omar.example, ع@omar ١@omar', []],
    ['is not a first name without its sign', 'Omar, Aisha @ work', []],
    ['is not an empty name', '@ @@ @-', []],
  ];
  for (const [title, text, ids] of cases) {
    it(title, () => assert.deepEqual(findMentions(text, teammates), ids));
  }
});
