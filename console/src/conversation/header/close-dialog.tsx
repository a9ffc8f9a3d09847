import { Sparkles } from 'lucide-react';
import { useRef, useState } from 'react';
import { TextArea } from 'react-aria-components';
import { useClosingCategories } from '../../live/directory.ts';
import { Failure, isPassing, request, sentenceOf } from '../../live/request.ts';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Switch } from '../../parts/switch.tsx';
import { t } from '../../words/words.ts';
import { close, pathOf, type Target } from './actions.ts';
import styles from './close-dialog.module.css';

/** Closes a conversation with its reason and its result, and asks the customer how it was. */
export function CloseDialog({ target, onClose }: { target: Target; onClose: () => void }) {
  const categories = useClosingCategories(target.workspace_id);
  const [chosen, setCategory] = useState('none');
  // A colleague may have removed it meanwhile.
  const category = categories.some(({ id }) => id === chosen) ? chosen : 'none';
  const [summary, setSummary] = useState('');
  const [asksCustomer, setAsksCustomer] = useState(false);
  const [isSuggesting, setSuggesting] = useState(false);
  const [fault, setFault] = useState<string>();
  /** The answer to an earlier press was lost. */
  const wasSent = useRef(false);

  async function suggest() {
    setSuggesting(true);
    setFault(undefined);
    try {
      const suggested = await request<{ summary: string }>('POST', `${pathOf(target)}/ai/summary`);
      setSummary(suggested.summary);
    } catch (error) {
      setFault(sentenceOf(error));
    } finally {
      setSuggesting(false);
    }
  }
  async function send() {
    const text = summary.trim();
    const body = {
      ...(category !== 'none' && { category_id: category }),
      ...(text !== '' && { summary: text }),
      ...(asksCustomer && { send_csat: true }),
    };
    setFault(undefined);
    try {
      if (await close(target, body, wasSent.current)) onClose();
      else setFault(t('panel.closed_before'));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      wasSent.current ||= isPassing(error);
      if (!error.members.has('category_id')) throw error;
      setCategory('none');
      throw new Failure('changed_meanwhile');
    }
  }

  return (
    <Dialog title={t('panel.close_title')} onClose={onClose}>
      <Form place="dialog" submit={t('panel.close')} send={send} onCancel={onClose}>
        {categories.length > 0 && (
          <Choice
            label={t('panel.close_reason')}
            options={[
              { id: 'none', label: t('panel.close_no_reason') },
              ...categories.map(({ id, name }) => ({ id, label: name })),
            ]}
            value={category}
            onChange={setCategory}
          />
        )}
        <div className={styles.field}>
          <div className={styles.head}>
            <label htmlFor="closing-summary">{t('panel.close_summary')}</label>
            <Button look="quiet" isPending={isSuggesting} onPress={suggest}>
              <Sparkles size={16} aria-hidden />
              {t(isSuggesting ? 'panel.close_suggesting' : 'panel.close_suggest')}
            </Button>
          </div>
          <TextArea
            id="closing-summary"
            className={styles.text!}
            dir="auto"
            placeholder=" "
            rows={4}
            value={summary}
            onChange={(event) => setSummary(event.target.value)}
          />
          {fault && <Notice kind="danger">{fault}</Notice>}
        </div>
        <Switch label={t('panel.close_survey')} isSelected={asksCustomer} onChange={setAsksCustomer} />
      </Form>
    </Dialog>
  );
}
