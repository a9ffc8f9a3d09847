import type { LinkKind } from './links.ts';

const pages: Record<LinkKind, string> = { invitation: '/join', reset: '/reset', sign_in: '/enter' };

/** The page of the console that uses the link. The token stands in the fragment, which browsers send to no server. */
export function linkTo(publicUrl: string, kind: LinkKind, token: string): string {
  return `${publicUrl}${pages[kind]}#${token}`;
}
