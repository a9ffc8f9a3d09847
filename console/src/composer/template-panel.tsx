import type { Template } from '@majlis/contract';
import { Loaded } from '../parts/loaded.tsx';
import { isolated } from '../words/isolated.ts';
import { t } from '../words/words.ts';
import { createHeaderUpload } from './header-upload.ts';
import { PanelFrame } from './panel-frame.tsx';
import type { PanelProps } from './panel-props.ts';
import { type TemplateChoice, writePanel } from './panels.ts';
import { TemplateForm } from './template-form.tsx';
import { TemplateList } from './template-list.tsx';
import { isTemplateNamed, useApprovedTemplates } from './use-approved-templates.ts';

/** The approved templates, and the values of the one that a person chooses. */
export function TemplatePanel({ choice, ...props }: PanelProps & { choice?: TemplateChoice | undefined }) {
  const { membership, conversation, gate, onClose } = props;
  const query = useApprovedTemplates(membership.workspace_id);
  const listed = query.data?.data.find((one) => isTemplateNamed(one, choice));
  // One that is gone stays, with what was written in it.
  const template = listed ?? choice?.chosen;
  const title = template ? isolated(template.name) : t('composer.template_choose');
  const onChoose = (chosen: Template) => {
    const { name, language } = chosen;
    const file = createHeaderUpload(membership.workspace_id);
    writePanel(conversation.id, { type: 'templates', template: { name, language, chosen, file } });
  };
  return (
    <PanelFrame title={title} onClose={onClose} closeLabel={t('composer.template_close')}>
      {choice && template ? (
        <TemplateForm
          key={template.id}
          {...props}
          template={template}
          isGone={query.data !== undefined && !listed}
          choice={choice}
          onBack={() => writePanel(conversation.id, { type: 'templates' })}
        />
      ) : (
        <Loaded query={query}>
          {({ data }) => (
            <TemplateList templates={data} gate={gate} isOpened={onClose !== undefined} onChoose={onChoose} />
          )}
        </Loaded>
      )}
    </PanelFrame>
  );
}
