import type { ScheduledMessage } from '@majlis/console-api';
import type { Conversation, ConversationMessageSend, Template } from '@majlis/contract';
import { type Ref, useImperativeHandle, useState } from 'react';
import { type ChoicesDraft, choicesOf, findChoicesFault, toChoices } from '../../composer/check-choices.ts';
import { ChoicesFields, choicesFaultWords } from '../../composer/choices-fields.tsx';
import { createHeaderUpload } from '../../composer/header-upload.ts';
import type { WrittenValues } from '../../composer/panels.ts';
import { TemplateFields } from '../../composer/template-fields.tsx';
import { isTemplateNamed, useApprovedTemplates } from '../../composer/use-approved-templates.ts';
import { composeTemplate, useTemplateDraft } from '../../composer/use-template-draft.ts';
import { useConversation } from '../../live/conversations.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Notice } from '../../parts/notice.tsx';
import { TextArea } from '../../parts/text-area.tsx';
import { t } from '../../words/words.ts';
import { mediaAddress } from '../thread/media-address.ts';

/** Answers the content as it stands in the fields. Undefined where it cannot be sent, which the fields say. */
export type Compose = () => ConversationMessageSend | undefined;

interface Props {
  workspace_id: string;
  message: ScheduledMessage;
  composing: Ref<Compose>;
}

/** The kinds whose text a person wrote as it is. */
const written = new Set(['text', 'image', 'video', 'file', 'interactive']);

/** The fields of what a scheduled message says. What has none is shown. */
export function ContentEditor(props: Props) {
  const { content } = props.message;
  const choices = choicesOf(content);
  if (choices) return <ChoicesEditor {...props} given={choices} />;
  if (content.template) return <TemplateEditor {...props} />;
  return written.has(content.kind) ? <TextEditor {...props} /> : <Preview {...props} />;
}

function Preview({ message: { preview } }: Props) {
  return preview && <blockquote dir="auto">{preview}</blockquote>;
}

function TextEditor({ message: { content }, composing }: Props) {
  const [body, setBody] = useState(content.body ?? '');
  const text = body.trim();
  useImperativeHandle(composing, () => () => (text === (content.body ?? '') ? content : { ...content, body: text }));
  return <TextArea name="body" label={t('scheduled.text')} value={body} onChange={setBody} maxLength={4_096} />;
}

function ChoicesEditor({ message: { content }, composing, given }: Props & { given: ChoicesDraft }) {
  const [draft, setDraft] = useState(given);
  const [isTried, setTried] = useState(false);
  const fault = findChoicesFault(draft);
  useImperativeHandle(composing, () => () => {
    setTried(true);
    if (fault) return undefined;
    return draft === given ? content : { ...content, ...toChoices(draft) };
  });
  return (
    <>
      <ChoicesFields draft={draft} onChange={setDraft} isStacked />
      {fault && (isTried || !fault.type.startsWith('no_')) && <Notice kind="danger">{choicesFaultWords(fault)}</Notice>}
    </>
  );
}

function TemplateEditor(props: Props) {
  const { workspace_id, message } = props;
  const query = useApprovedTemplates(workspace_id);
  const { data: conversation } = useConversation(workspace_id, message.conversation_id);
  return (
    <Loaded query={query}>
      {({ data }) => {
        const template = data.find((one) => isTemplateNamed(one, message.content.template));
        // Of one that is not approved any more, the values have no names.
        if (!template || !conversation) return <Preview {...props} />;
        return <ValuesEditor {...props} template={template} conversation={conversation} />;
      }}
    </Loaded>
  );
}

interface ValuesProps extends Props {
  template: Template;
  conversation: Conversation;
}

function ValuesEditor({ workspace_id, message, composing, template, conversation }: ValuesProps) {
  const { content } = message;
  const [written, onWrite] = useState<WrittenValues>({ ...content.template!.params });
  const [isTried, setTried] = useState(false);
  const [upload] = useState(() => createHeaderUpload(workspace_id, keptFile(workspace_id, message)));
  const draft = useTemplateDraft({ workspace_id, conversation, template, written, upload, onWrite });
  useImperativeHandle(composing, () => () => {
    setTried(true);
    return draft.isComplete ? { ...content, ...composeTemplate(draft).content } : undefined;
  });
  const { name, failure } = draft.file;
  const lacksFile = isTried && !draft.isComplete && !failure && draft.values.every((value) => value.trim() !== '');
  return (
    <>
      <TemplateFields draft={draft} isStacked />
      {lacksFile && (
        <Notice kind="danger">{t(name ? 'composer.wait_uploads' : 'composer.template_file_choose')}</Notice>
      )}
    </>
  );
}

function keptFile(workspace_id: string, { content, file }: ScheduledMessage) {
  const id = content.template?.header_media_id;
  if (id === undefined) return undefined;
  return {
    name: file?.filename ?? t('composer.template_file'),
    media: { id },
    ...(file?.mime.startsWith('image/') && { preview: mediaAddress(workspace_id, id) }),
  };
}
