/** The build turns a page of the documentation into its parts. */
declare module '*.md' {
  export const guide: import('./guide.ts').Guide;
}
