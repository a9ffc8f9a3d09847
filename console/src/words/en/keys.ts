/** Changing the keys of commands. */
export const keys = {
  'keys.change': 'Change the key of {name}',
  'keys.none': 'No key',
  'keys.give': 'Give {name} a key',
  'keys.take': 'Take the key from {name}',
  'keys.reset': 'Reset the key of {name}',
  'keys.reset_all': 'Reset all keys',
  'keys.press': 'Press the new key',
  'keys.moves': 'This key moves, confirms or cancels everywhere. Press a letter, a digit or a sign.',
  'keys.go': 'G begins the ways to the pages. Press another key.',
  'keys.browser': 'Your browser or the text field needs these keys. Press others.',
  'keys.clash': 'This is the key of “{names}”.',
  'keys.no_swap': 'The two cannot be swapped. Press another key.',
  'keys.swap': 'Swap the two',
  'keys.elsewhere': 'a command of another page',
  'keys.group_proposals': 'Approvals',
} as const satisfies Record<string, string>;
