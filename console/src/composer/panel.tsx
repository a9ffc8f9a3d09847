import { type ComponentType, Suspense } from 'react';
import { Button } from '../parts/button.tsx';
import { lazyClosable } from '../parts/lazy-piece.ts';
import { t } from '../words/words.ts';
import type { PanelProps } from './panel-props.ts';
import type { OpenedPanel } from './panels.ts';

function lazyPanel<Props extends PanelProps>(load: () => Promise<ComponentType<Props>>) {
  return lazyClosable(load, 'tools');
}

// Loaded when they are opened: the first view needs none of them.
const AiDraftPanel = lazyPanel(async () => (await import('./ai-panels.tsx')).AiDraftPanel);
const SummaryPanel = lazyPanel(async () => (await import('./ai-panels.tsx')).SummaryPanel);
const ChoicesPanel = lazyPanel(async () => (await import('./choices-panel.tsx')).ChoicesPanel);
const LocationPanel = lazyPanel(async () => (await import('./location-panel.tsx')).LocationPanel);
const NumberPanel = lazyPanel(async () => (await import('./number-panel.tsx')).NumberPanel);
const TemplatePanel = lazyPanel(async () => (await import('./template-panel.tsx')).TemplatePanel);
const VoicePanel = lazyPanel(async () => (await import('./voice-panel.tsx')).VoicePanel);

/** What stands open above the field. */
export function Panel({ opened, ...props }: PanelProps & { opened: OpenedPanel }) {
  // Some panels stand in the place of the field: without a network, nothing else leads back to it.
  const back = props.onClose && <Button onPress={props.onClose}>{t('app.cancel')}</Button>;
  return <Suspense fallback={back}>{draw(opened, props)}</Suspense>;
}

function draw({ panel, id }: OpenedPanel, props: PanelProps) {
  // Another panel of the same kind begins anew.
  const key = `${props.conversation.id} ${id}`;
  switch (panel.type) {
    case 'templates':
      return <TemplatePanel key={key} {...props} choice={panel.template} />;
    case 'choices':
      return <ChoicesPanel key={key} {...props} given={panel.given} />;
    case 'location':
      return <LocationPanel key={key} {...props} given={panel.given} />;
    case 'number':
      return <NumberPanel key={key} {...props} given={panel.given} />;
    case 'voice':
      return <VoicePanel key={key} {...props} />;
    case 'ai_draft':
      return <AiDraftPanel key={key} {...props} tone={panel.tone} />;
    case 'summary':
      return <SummaryPanel key={key} {...props} />;
  }
}
