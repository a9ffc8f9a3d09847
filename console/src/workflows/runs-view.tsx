import type { WorkflowRunState } from '@majlis/console-api';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { queries } from '../live/queries.ts';
import { request } from '../live/request.ts';
import { AskDialog } from '../parts/ask-dialog.tsx';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Choice } from '../parts/choice.tsx';
import { Empty } from '../parts/empty.tsx';
import { List, Row, Soft } from '../parts/list.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { fullTime, t } from '../words/words.ts';
import { type Definition, findStep } from './definition.ts';
import { RunSteps } from './run-steps.tsx';
import { detailOf, isolate, kindText } from './step-words.ts';
import { workflowPath } from './workflow-data.ts';
import styles from './workflows.module.css';

const statuses = ['running', 'completed', 'failed', 'cancelled'] as const;
const kinds = { running: 'accent', completed: 'plain', failed: 'warning', cancelled: 'plain' } as const;
const refetchInterval = 5_000;

interface Props {
  workspace_id: string;
  workflow_id: string;
}

interface RunPage {
  data: WorkflowRunState[];
  next_cursor?: string;
}

/** The runs of a workflow, each with the step where it stands. */
export function RunsView({ workspace_id, workflow_id }: Props) {
  const [status, setStatus] = useState<(typeof statuses)[number] | 'all'>('all');
  const path = `${workflowPath(workspace_id, workflow_id)}/runs`;
  const runs = useInfiniteQuery({
    queryKey: [path, status],
    staleTime: 0,
    refetchInterval,
    initialPageParam: undefined as string | undefined,
    queryFn({ pageParam }) {
      const query = { ...(status !== 'all' && { status }), ...(pageParam !== undefined && { cursor: pageParam }) };
      return request<RunPage>('GET', `${path}?${new URLSearchParams(query)}`);
    },
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  return (
    <>
      <div className={styles.bar}>
        <Choice
          label={t('workflows.run_state')}
          options={[
            { id: 'all', label: t('workflows.all_runs') },
            ...statuses.map((id) => ({ id, label: t(`workflows.run_${id}`) })),
          ]}
          value={status}
          onChange={setStatus}
        />
      </div>
      <Loaded query={runs}>
        {({ pages }) => {
          const shown = pages.flatMap(({ data }) => data);
          return shown.length === 0 ? (
            <Empty icon={<Play aria-hidden />} title={t('workflows.no_runs')} hint={t('workflows.no_runs_hint')} />
          ) : (
            <>
              <List>
                {shown.map((run) => (
                  <RunRow
                    key={run.id}
                    workspace_id={workspace_id}
                    workflow_id={workflow_id}
                    run={run}
                    onChanged={() => queries.invalidateQueries({ queryKey: [path] })}
                  />
                ))}
              </List>
              {runs.hasNextPage && (
                <Button onPress={() => void runs.fetchNextPage()}>{t('workflows.show_more')}</Button>
              )}
            </>
          );
        }}
      </Loaded>
    </>
  );
}

interface RowProps extends Props {
  run: WorkflowRunState;
  onChanged: () => Promise<unknown>;
}

function RunRow({ workspace_id, workflow_id, run, onChanged }: RowProps) {
  const { id, version, contact, conversation_id, status, reason, step, waits_for, due_at, started_at } = run;
  const [isOpen, setOpen] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const path = `${workflowPath(workspace_id, workflow_id)}/versions/${version}`;
  const definition = useQuery({
    queryKey: [path],
    queryFn: () => request<{ definition: Record<string, unknown> }>('GET', path),
  }).data?.definition as unknown as Definition | undefined;
  const standing = step !== undefined && definition ? findStep(definition, step) : undefined;
  const name = contact.name ?? t('inbox.unnamed');
  const detail = standing && detailOf(standing);
  return (
    <Row
      title={
        <>
          {conversation_id ? (
            <Link href={`/w/${workspace_id}/inbox/${conversation_id}`}>
              <bdi>{name}</bdi>
            </Link>
          ) : (
            <bdi>{name}</bdi>
          )}
          <Badge kind={kinds[status]}>{t(`workflows.run_${status}`)}</Badge>
        </>
      }
      end={
        <>
          <Button look="quiet" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
            {t(isOpen ? 'workflows.hide_path' : 'workflows.show_path')}
          </Button>
          {status === 'running' && <Button onPress={() => setAsking(true)}>{t('workflows.cancel_run')}</Button>}
        </>
      }
    >
      {standing && (
        <p>
          {t(status === 'running' ? 'workflows.stands_at' : 'workflows.ended_at', { step: kindText(standing.do) })}
          {detail && <span className={styles.soft}> {isolate(detail)}</span>}
        </p>
      )}
      {waits_for && (
        <Soft>
          {t(`workflows.waits_for_${waits_for}`)}
          {due_at && waits_for !== 'publication' && ` · ${t('workflows.until', { time: fullTime(due_at) })}`}
        </Soft>
      )}
      {reason && (
        <p className={status === 'failed' ? styles.reason : styles.soft}>
          <bdi>{reason}</bdi>
        </p>
      )}
      <Soft>
        {t('workflows.started', { time: fullTime(started_at) })}
        {' · '}
        {t('workflows.version', { version })}
      </Soft>
      {isOpen && <RunSteps workspace_id={workspace_id} run_id={id} definition={definition} />}
      {isAsking && (
        <AskDialog
          title={t('workflows.cancel_run')}
          hint={t('workflows.cancel_run_hint', { name: isolate(name) })}
          action={t('workflows.cancel_run')}
          act={() => request('POST', `/workspaces/${workspace_id}/workflow-runs/${id}/cancel`).finally(onChanged)}
          onClose={() => setAsking(false)}
        />
      )}
    </Row>
  );
}
