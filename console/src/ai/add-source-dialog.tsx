import type { AiAgentState } from '@majlis/console-api';
import { FileUp } from 'lucide-react';
import { useRef, useState } from 'react';
import { uploadFile } from '../composer/upload.ts';
import { request } from '../live/request.ts';
import { Button } from '../parts/button.tsx';
import { Choice } from '../parts/choice.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Notice } from '../parts/notice.tsx';
import { TextArea } from '../parts/text-area.tsx';
import { tell } from '../parts/toasts.ts';
import { t } from '../words/words.ts';
import { AgentPicker } from './agent-picker.tsx';
import styles from './ai.module.css';
import { aiChanged } from './ai-data.ts';

const types = ['url', 'file', 'text'] as const;
type SourceType = (typeof types)[number];

interface Props {
  workspace_id: string;
  agents: readonly AiAgentState[];
  onClose: () => void;
}

/** Adds a page, a file or a text. The service reads it afterwards. */
export function AddSourceDialog({ workspace_id, agents, onClose }: Props) {
  const [type, setType] = useState<SourceType>('url');
  const [file, setFile] = useState<File>();
  const [needsFile, setNeedsFile] = useState(false);
  const [ai_agent_ids, setAgents] = useState<string[] | null>(null);
  async function send(form: FormData) {
    if (type === 'file' && !file) return setNeedsFile(true);
    const content =
      type === 'file'
        ? { media_id: (await uploadFile(workspace_id, file!, () => {}).done).id }
        : { [type]: String(form.get(type) ?? '').trim() };
    await request('POST', `/workspaces/${workspace_id}/ai/knowledge-sources`, {
      ...{ type, ...content },
      ...(ai_agent_ids && { ai_agent_ids }),
    });
    tell(t('ai.added'));
    await aiChanged(workspace_id);
    onClose();
  }
  return (
    <Dialog title={t('ai.add')} onClose={onClose}>
      <Form place="dialog" submit={t('ai.add_submit')} send={send} onCancel={onClose}>
        <Choice
          label={t('ai.type')}
          options={types.map((id) => ({ id, label: t(`ai.type_${id}`), hint: t(`ai.type_${id}_hint`) }))}
          value={type}
          onChange={setType}
        />
        {type === 'url' && <Field label={t('ai.url')} hint={t('ai.url_hint')} name="url" type="url" ltr isRequired />}
        {type === 'text' && <TextArea label={t('ai.text')} hint={t('ai.text_hint')} name="text" rows={8} isRequired />}
        {type === 'file' && <FilePick file={file} onPick={setFile} isMissing={needsFile && !file} />}
        {agents.length > 0 && <AgentPicker agents={agents} value={ai_agent_ids} onChange={setAgents} />}
      </Form>
    </Dialog>
  );
}

interface FilePickProps {
  file: File | undefined;
  isMissing: boolean;
  onPick: (file: File) => void;
}

function FilePick({ file, isMissing, onPick }: FilePickProps) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      {isMissing && <Notice kind="danger">{t('ai.file_missing')}</Notice>}
      <div className={styles.file}>
        <Button onPress={() => picker.current?.click()}>
          <FileUp size={16} aria-hidden />
          {t('ai.file_choose')}
        </Button>
        <input
          ref={picker}
          type="file"
          hidden
          aria-label={t('ai.file_choose')}
          onChange={({ target: { files } }) => files?.[0] && onPick(files[0])}
        />
        <bdi>{file?.name ?? t('ai.file_none')}</bdi>
      </div>
      <p className={styles.soft}>{t('ai.file_hint')}</p>
    </>
  );
}
