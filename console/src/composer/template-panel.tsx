import type { Template } from '@majlis/contract';
import { useState } from 'react';
import { Loaded } from '../parts/loaded.tsx';
import { isolated } from '../words/isolated.ts';
import { t } from '../words/words.ts';
import { PanelFrame } from './panel-frame.tsx';
import type { PanelProps } from './panel-props.ts';
import type { TemplateChoice } from './panels.ts';
import { TemplateForm } from './template-form.tsx';
import { TemplateList } from './template-list.tsx';
import { isTemplateNamed, useApprovedTemplates } from './use-approved-templates.ts';

/** The approved templates, and the values of the one that a person chooses. */
export function TemplatePanel({ chosen, ...props }: PanelProps & { chosen?: TemplateChoice | undefined }) {
  const { membership, gate, onClose } = props;
  const query = useApprovedTemplates(membership.workspace_id);
  const [opened, setOpened] = useState<Template>();
  const [isBack, setBack] = useState(false);
  const templates = query.data?.data ?? [];
  const named = isBack ? undefined : templates.find((one) => isTemplateNamed(one, chosen));
  const listed = templates.find(({ id }) => id === opened?.id);
  // One that is gone stays, with what was written in it.
  const template = listed ?? opened ?? named;
  const params = template && isTemplateNamed(template, chosen) ? chosen?.params : undefined;
  const title = template ? isolated(template.name) : t('composer.template_choose');
  const onBack = () => {
    setOpened(undefined);
    setBack(true);
  };
  return (
    <PanelFrame title={title} onClose={onClose} closeLabel={t('composer.template_close')}>
      {template ? (
        <TemplateForm
          key={template.id}
          {...props}
          template={template}
          isGone={opened !== undefined && !listed}
          params={params}
          onBack={onBack}
        />
      ) : (
        <Loaded query={query}>
          {({ data }) => (
            <TemplateList templates={data} gate={gate} isOpened={onClose !== undefined} onChoose={setOpened} />
          )}
        </Loaded>
      )}
    </PanelFrame>
  );
}
