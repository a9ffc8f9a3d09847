import { TriangleAlert } from 'lucide-react';
import { Component, type ReactNode } from 'react';
import { Button } from '../parts/button.tsx';
import { Empty } from '../parts/empty.tsx';
import { Notice } from '../parts/notice.tsx';
import { t } from '../words/words.ts';

interface State {
  failed: 'page' | 'part' | undefined;
}

// What browsers say where a script of the page is not there any more, as after an upgrade.
const isMissing = ({ message }: Error) =>
  /dynamically imported module|module script|JavaScript MIME type|Unable to preload/i.test(message);

/** A fault of one page leaves the rest of the console usable. */
export class ErrorBoundary extends Component<{ children: ReactNode; isSmall?: boolean }, State> {
  override state: State = { failed: undefined };

  static getDerivedStateFromError(error: Error): State {
    return { failed: isMissing(error) ? 'part' : 'page' };
  }

  override render() {
    const { failed } = this.state;
    if (!failed) return this.props.children;
    if (this.props.isSmall) {
      return (
        <Notice action={<Button onPress={() => location.reload()}>{t('app.reload')}</Button>}>
          {t(failed === 'part' ? 'app.part_missing_hint' : 'app.failed')}
        </Notice>
      );
    }
    return (
      <Empty
        icon={<TriangleAlert aria-hidden />}
        title={t(failed === 'part' ? 'app.part_missing' : 'app.failed')}
        hint={t(failed === 'part' ? 'app.part_missing_hint' : 'app.failed_hint')}
      >
        <Button look="primary" onPress={() => location.reload()}>
          {t('app.reload')}
        </Button>
      </Empty>
    );
  }
}
