import type { WorkflowRunDetail } from '@majlis/console-api';
import { useQuery } from '@tanstack/react-query';
import { request } from '../live/request.ts';
import { Loaded } from '../parts/loaded.tsx';
import { fullTime, t } from '../words/words.ts';
import { type Definition, findStep } from './definition.ts';
import { Reason } from './reason.tsx';
import { detailOf, isolate, kindText } from './step-words.ts';
import { wordFor } from './workflow-data.ts';
import styles from './workflows.module.css';

interface Props {
  workspace_id: string;
  run_id: string;
  definition: Definition | undefined;
}

/** The steps that a run has performed, in their order. */
export function RunSteps({ workspace_id, run_id, definition }: Props) {
  const path = `/workspaces/${workspace_id}/workflow-runs/${run_id}`;
  const run = useQuery({
    queryKey: [path],
    staleTime: 0,
    refetchInterval: 5_000,
    queryFn: () => request<WorkflowRunDetail>('GET', path),
  });
  return (
    <Loaded query={run}>
      {({ steps }) =>
        steps.length === 0 ? (
          <p className={styles.soft}>{t('workflows.no_steps_yet')}</p>
        ) : (
          <ol className={styles.path}>
            {steps.map(({ step, do: kind, outcome, reason, at }, index) => {
              const found = definition && findStep(definition, step);
              const detail = found && detailOf(found);
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: steps are only added at the end.
                <li key={index}>
                  <strong>{kindText(kind)}</strong> {detail && isolate(detail)}
                  <p className={styles.soft}>
                    {wordFor('outcome', outcome)} · {fullTime(at)}
                  </p>
                  {reason && <Reason text={reason} />}
                </li>
              );
            })}
          </ol>
        )
      }
    </Loaded>
  );
}
