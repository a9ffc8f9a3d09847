import { byId, el } from './element.js';
import { failuresTab } from './failures-tab.js';
import { settingsTab } from './settings-tab.js';
import { listen } from './store.js';
import { templatesTab } from './templates-tab.js';
import { webhooksTab } from './webhooks-tab.js';

const tabs = [
  { name: 'Failures', draw: failuresTab, on: 'settings' },
  { name: 'Templates', draw: templatesTab, on: 'templates' },
  { name: 'Settings', draw: settingsTab, on: 'settings' },
  { name: 'Webhooks', draw: webhooksTab, on: 'deliveries' },
];
let shown = tabs[0];

/** The platform's side: failures to order, delays and switches, webhooks. */
export function showPanel() {
  for (const tab of tabs) {
    listen(tab.on, () => {
      if (tab === shown) drawBody();
    });
  }
  listen('numbers', drawBody);
  draw();
}

function draw() {
  byId('tabs').replaceChildren(
    ...tabs.map((tab, index) =>
      el(
        'button',
        {
          type: 'button',
          role: 'tab',
          'aria-selected': String(tab === shown),
          'aria-controls': 'tab-body',
          tabindex: tab === shown ? '0' : '-1',
          onclick: () => select(tab),
          onkeydown: (event) => {
            const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
            if (step !== undefined) select(tabs[(index + step + tabs.length) % tabs.length], true);
          },
        },
        tab.name,
      ),
    ),
  );
  drawBody();
}

function select(tab, focus = false) {
  shown = tab;
  draw();
  byId('tab-body').scrollTop = 0;
  if (focus) byId('tabs').querySelector('[aria-selected="true"]').focus();
}

function drawBody() {
  const body = byId('tab-body');
  // A change elsewhere must not replace a field with focus.
  if (body.contains(document.activeElement) && document.activeElement.matches('input, select')) return;
  const top = body.scrollTop;
  body.replaceChildren(...shown.draw());
  body.scrollTop = top;
}
