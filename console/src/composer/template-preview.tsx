import type { Template } from '@majlis/contract';
import { File as FileIcon, Image, Video } from 'lucide-react';
import { Choices } from '../conversation/thread/choices.tsx';
import { t } from '../words/words.ts';
import type { HeaderFileState } from './header-file.tsx';
import styles from './panel.module.css';
import { buttonsOf, fileFormatOf, fillSlots, partOf, slotsOf } from './template-slots.ts';

interface Props {
  template: Template;
  values: readonly string[];
  file: HeaderFileState;
}

/** The message as the customer will see it, with the values of now. */
export function TemplatePreview({ template, values, file }: Props) {
  const slots = slotsOf(template);
  const header = partOf(template, 'header')?.text;
  const body = partOf(template, 'body')?.text ?? '';
  const footer = partOf(template, 'footer')?.text;
  const buttons = buttonsOf(template);
  const format = fileFormatOf(template);
  return (
    <figure className={styles.preview}>
      <figcaption className={styles.soft}>{t('composer.template_preview')}</figcaption>
      <div className={styles.bubble} data-preview>
        {format ? (
          <HeaderMedia format={format} file={file} />
        ) : (
          header && <strong dir="auto">{fillSlots(header, 'header', { slots, values })}</strong>
        )}
        <span dir="auto">{fillSlots(body, 'body', { slots, values })}</span>
        {footer && (
          <span className={styles.footer} dir="auto">
            {footer}
          </span>
        )}
        {buttons.length > 0 && (
          <Choices
            label={t('composer.interactive_buttons')}
            choices={buttons.map(({ text = '' }) => ({ title: text }))}
          />
        )}
      </div>
    </figure>
  );
}

function HeaderMedia({ format, file: { preview, name } }: { format: string; file: HeaderFileState }) {
  const Icon = { image: Image, video: Video }[format] ?? FileIcon;
  return (
    <div className={styles.media}>
      {preview ? <img src={preview} alt="" /> : <Icon size={28} aria-hidden />}
      {!preview && name && <bdi>{name}</bdi>}
    </div>
  );
}
