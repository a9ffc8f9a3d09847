/** The command palette and the shortcuts. */
export const palette = {
  'palette.title': 'Commands',
  'palette.open': 'Find a command',
  'palette.search': 'What do you want to do, or whom do you look for?',
  'palette.none': 'No command and no customer has this name',
  'palette.conversations': 'Conversations',
  'palette.shortcuts': 'Keyboard shortcuts',
  'palette.layout_hint':
    'A Latin letter counts wherever your layout has it. Keys of an Arabic layout count by their place.',
  'palette.group_list': 'List of conversations',
  'palette.group_conversation': 'Conversation',
  'palette.group_composer': 'Writing',
  'palette.group_go': 'Go to',
  'palette.group_app': 'Everywhere',
  'palette.go': 'Go to: {place}',
  'palette.single_keys': 'Shortcuts of a single key, such as E to close a conversation',
} as const satisfies Record<string, string>;
