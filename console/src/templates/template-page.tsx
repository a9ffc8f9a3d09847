import type { ComingCategory } from '@majlis/console-api';
import type { ReviewedTemplate, Template } from '@majlis/contract';
import { useQuery } from '@tanstack/react-query';
import { CopyPlus } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { nameOfLanguage } from '../composer/name-of-language.ts';
import { categoryWords } from '../composer/template-list.tsx';
import { slotsOf } from '../composer/template-slots.ts';
import { queries } from '../live/queries.ts';
import { request } from '../live/request.ts';
import { BackLink } from '../parts/back-link.tsx';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { List, Row, Soft } from '../parts/list.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Notice } from '../parts/notice.tsx';
import { Page, Section } from '../parts/page.tsx';
import { RemovalDialog } from '../settings/use-counts.tsx';
import { isolated } from '../words/isolated.ts';
import { fullTime, t } from '../words/words.ts';
import { PhonePreview } from './phone-preview.tsx';
import { templatesPage, templatesPath } from './template-data.ts';
import { TemplateFigures } from './template-figures.tsx';
import { comingText, qualityText, reasonText, statusKinds, statusWords } from './template-words.ts';
import styles from './templates.module.css';

interface Props {
  workspace_id: string;
  template: Template;
  coming: ComingCategory | undefined;
  /** How many templates have the same name in other languages. */
  others: number;
  onUse: () => void;
}

const noFile = { choose: () => {}, remove: () => {} };

/** One template: as the customer sees it, its review, and what can be done with it. */
export function TemplatePage({ workspace_id, template, coming, others, onUse }: Props) {
  const { id, name, language, category, status, updated_at } = template;
  const quality = qualityText(template);
  const path = `${templatesPath(workspace_id)}/${id}`;
  const [, navigate] = useLocation();
  const [isDeleting, setDeleting] = useState(false);
  // The moment of the last change belongs to the key, so the history follows the review.
  const history = useQuery({
    queryKey: [path, updated_at, status],
    queryFn: () => request<ReviewedTemplate>('GET', path),
    placeholderData: (before) => before,
  });
  const values = slotsOf(template).map(({ example = '' }) => example);

  async function remove() {
    await request('DELETE', path);
    await queries.invalidateQueries({ queryKey: [templatesPath(workspace_id)] });
    navigate(templatesPage(workspace_id));
  }
  return (
    <Page title={name} action={<BackLink href={templatesPage(workspace_id)}>{t('templates.back')}</BackLink>}>
      <div className={styles.badges}>
        <Badge kind={statusKinds[status]}>{t(statusWords[status])}</Badge>
        <Badge>{nameOfLanguage(language)}</Badge>
        <Badge>{t(categoryWords[category])}</Badge>
        {quality !== undefined && <Badge>{quality}</Badge>}
      </div>
      <ReviewNotice template={template} />
      {coming && <Notice>{comingText(coming)}</Notice>}
      <div className={styles.sides}>
        <Section title={t('templates.history')}>
          <Loaded query={history}>
            {({ review_history = [] }) => (
              <List>
                {review_history.toReversed().map((review, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a review has no id, and none is ever removed.
                  <Row key={index} title={review.status && t(statusWords[review.status])}>
                    <Soft>{review.updated_at && fullTime(review.updated_at)}</Soft>
                    {review.rejection_reason && (
                      <p className={styles.reason}>{reasonText({ rejection_reason: review.rejection_reason })}</p>
                    )}
                  </Row>
                ))}
              </List>
            )}
          </Loaded>
          <div className={styles.actions}>
            <Button onPress={onUse}>
              <CopyPlus size={16} aria-hidden />
              {t('templates.use_as_start')}
            </Button>
            <Button look="quiet" onPress={() => setDeleting(true)}>
              {t('templates.delete')}
            </Button>
          </div>
        </Section>
        <div className={styles.preview}>
          <PhonePreview template={template} values={values} file={noFile} />
        </div>
      </div>
      <TemplateFigures workspace_id={workspace_id} name={name} />
      {isDeleting && (
        <RemovalDialog
          title={t('templates.delete_title', { name: isolated(name) })}
          hint={`${t('templates.delete_hint')} ${t('templates.delete_others', { count: others })}`}
          counts={`${path}/use`}
          words={{ broadcasts: 'templates.delete_broadcasts', workflows: 'templates.delete_workflows' }}
          action={t('templates.delete')}
          act={remove}
          workspace_id={workspace_id}
          onClose={() => setDeleting(false)}
        />
      )}
    </Page>
  );
}

function ReviewNotice({ template }: { template: Template }) {
  switch (template.status) {
    case 'pending':
      return <Notice>{t('templates.status_pending_hint')}</Notice>;
    case 'rejected':
      return (
        <Notice kind="danger">
          {t('templates.rejected', { reason: reasonText(template) })} {t('templates.rejected_hint')}
        </Notice>
      );
    case 'paused':
      return <Notice kind="danger">{t('templates.status_paused_hint')}</Notice>;
    case 'disabled':
      return <Notice kind="danger">{t('templates.status_disabled_hint')}</Notice>;
    default:
      return null;
  }
}
