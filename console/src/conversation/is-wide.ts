/** Whether the screen has room for the contact beside the conversation. */
export const isWide = matchMedia('(width >= 80rem)');
