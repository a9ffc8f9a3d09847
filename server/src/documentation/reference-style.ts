const light = {
  'scalar-color-1': '#16211f',
  'scalar-color-2': '#4d5c59',
  'scalar-color-3': '#576663',
  'scalar-color-accent': '#0f766e',
  'scalar-background-1': '#ffffff',
  'scalar-background-2': '#f4f6f5',
  'scalar-background-3': '#eef2f1',
  'scalar-background-accent': '#dcf1ee',
  'scalar-border-color': '#d8e0de',
  'scalar-color-green': '#1d6b37',
  'scalar-color-blue': '#0b5a8f',
  'scalar-color-orange': '#8a5300',
  'scalar-color-yellow': '#8a5300',
  'scalar-color-red': '#b3261e',
  'scalar-color-purple': '#6b3fa0',
  'majlis-available': '#1d6b37',
  'majlis-beta': '#0b5a8f',
  'majlis-coming': '#8a5300',
  'majlis-extension': '#6b3fa0',
};
const dark = {
  'scalar-color-1': '#e8efed',
  'scalar-color-2': '#b4c2be',
  'scalar-color-3': '#a4b3af',
  'scalar-color-accent': '#2dd4bf',
  'scalar-background-1': '#101615',
  'scalar-background-2': '#18201f',
  'scalar-background-3': '#212b29',
  'scalar-background-accent': '#12302d',
  'scalar-border-color': '#2e3a38',
  'scalar-color-green': '#7fd99a',
  'scalar-color-blue': '#8cc8ff',
  'scalar-color-orange': '#f5c26b',
  'scalar-color-yellow': '#f5c26b',
  'scalar-color-red': '#ff9d94',
  'scalar-color-purple': '#cdb0f5',
  'majlis-available': '#7fd99a',
  'majlis-beta': '#8cc8ff',
  'majlis-coming': '#f5c26b',
  'majlis-extension': '#cdb0f5',
};

function declare(values: Record<string, string>): string {
  return Object.entries(values)
    .map(([name, value]) => `--${name}: ${value};`)
    .join(' ');
}

/** The colours of the console, light and dark, with the contrast that texts need. */
export const referenceStyle = `
.light-mode, .light-mode .dark-mode { ${declare(light)} }
.dark-mode, .dark-mode .light-mode { ${declare(dark)} }
:root { --scalar-radius: 8px; --scalar-radius-lg: 12px; --scalar-radius-xl: 14px; }
.sidebar { --scalar-sidebar-color-2: var(--scalar-color-2); --scalar-sidebar-search-color: var(--scalar-color-2); }
.section .endpoints { overflow: visible; max-height: none; }
.badge[style*="--majlis"] { color: var(--scalar-background-1) !important; font-weight: 600; }
:is(a, button, input, summary, textarea, [role="button"], [role="tab"]):focus-visible {
  outline: 2px solid var(--scalar-color-accent); outline-offset: 2px;
}
.show-api-client-button, .show-api-client-button:before { background: var(--scalar-color-accent) !important; }
.show-api-client-button :is(span, svg) { color: var(--scalar-background-1) !important; background: var(--scalar-color-accent); }
section:focus, section:focus-visible { outline: none; }
`;

/** The page has copy buttons without a name, others whose name is not their text, and code that no key scrolls. */
export const nameButtons = `
new MutationObserver(() => {
  for (const button of document.querySelectorAll('button[class*="copy-button"]:not([aria-label])')) {
    button.setAttribute('aria-label', 'Copy');
  }
  for (const code of document.querySelectorAll('.scalar-card-content.custom-scroll:not([tabindex])')) code.tabIndex = 0;
  for (const button of document.querySelectorAll('button.show-more[aria-label]')) button.removeAttribute('aria-label');
}).observe(document.body, { childList: true, subtree: true });
`;

/** The mark of the console. */
export const referenceIcon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="#0f766e"/><path d="M7 22v-9.5a2.5 2.5 0 0 1 4.4-1.6L16 16.4l4.6-5.5a2.5 2.5 0 0 1 4.4 1.6V22" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>',
)}`;
