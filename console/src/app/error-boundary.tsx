import { TriangleAlert } from 'lucide-react';
import { Component, type ReactNode } from 'react';
import { Button } from '../parts/button.tsx';
import { Empty } from '../parts/empty.tsx';
import { t } from '../words/words.ts';

/** A fault of one page leaves the rest of the console usable. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <Empty icon={<TriangleAlert aria-hidden />} title={t('app.failed')} hint={t('app.failed_hint')}>
        <Button look="primary" onPress={() => location.reload()}>
          {t('app.reload')}
        </Button>
      </Empty>
    );
  }
}
