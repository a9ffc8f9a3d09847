import type { WorkflowDetail, WorkflowVersion } from '@majlis/console-api';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queries } from '../live/queries.ts';
import { Failure, request, sentenceOf } from '../live/request.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { List, Row, Soft } from '../parts/list.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Notice } from '../parts/notice.tsx';
import { Section } from '../parts/page.tsx';
import { tell } from '../parts/toasts.ts';
import { fullTime, t } from '../words/words.ts';
import type { Definition } from './definition.ts';
import { DifferenceList } from './difference.tsx';
import { compareDefinitions } from './edit-definition.ts';
import { Flow } from './flow.tsx';
import { isolate } from './step-words.ts';
import { showWorkflow, workflowPath } from './workflow-data.ts';
import styles from './workflows.module.css';

interface Props {
  workspace_id: string;
  detail: WorkflowDetail;
}

interface VersionPage {
  data: WorkflowVersion[];
  next_cursor?: string;
}

/** Every save with its time and person. An earlier one can be looked at, and restored as a new one. */
export function VersionsView({ workspace_id, detail }: Props) {
  const { id, version: current } = detail.workflow;
  const path = `${workflowPath(workspace_id, id)}/versions`;
  const [opened, open] = useState<number>();
  const versions = useInfiniteQuery({
    queryKey: [path],
    staleTime: 0,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      request<VersionPage>('GET', pageParam ? `${path}?${new URLSearchParams({ cursor: pageParam })}` : path),
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  return (
    <>
      <p className={styles.soft}>{t('workflows.versions_hint')}</p>
      <Loaded query={versions}>
        {({ pages }) => (
          <>
            <List>
              {pages
                .flatMap(({ data }) => data)
                .map(({ version, saved_at, saved_by, restored_from, running_count }) => (
                  <Row
                    key={version}
                    title={
                      <>
                        <span>{t('workflows.version', { version })}</span>
                        {version === current && <Badge kind="accent">{t('workflows.current')}</Badge>}
                      </>
                    }
                    end={
                      <Button look="quiet" onPress={() => open(opened === version ? undefined : version)}>
                        {t(opened === version ? 'workflows.hide_version' : 'workflows.look_at', { version })}
                      </Button>
                    }
                  >
                    <Soft>
                      {fullTime(saved_at)}
                      {' · '}
                      {saved_by ? isolate(saved_by.name) : t('workflows.the_file')}
                      {restored_from !== undefined && ` · ${t('workflows.restored_from', { version: restored_from })}`}
                      {running_count > 0 && ` · ${t('workflows.running', { count: running_count })}`}
                    </Soft>
                  </Row>
                ))}
            </List>
            {versions.hasNextPage && (
              <Button onPress={() => void versions.fetchNextPage()}>{t('workflows.show_more')}</Button>
            )}
          </>
        )}
      </Loaded>
      {opened !== undefined && (
        <OneVersion
          key={opened}
          workspace_id={workspace_id}
          detail={detail}
          version={opened}
          onRestored={() => open(undefined)}
        />
      )}
    </>
  );
}

interface OneProps extends Props {
  version: number;
  onRestored: () => void;
}

function OneVersion({ workspace_id, detail, version, onRestored }: OneProps) {
  const { id, version: current } = detail.workflow;
  const path = `${workflowPath(workspace_id, id)}/versions/${version}`;
  const [problem, setProblem] = useState<string>();
  const read = useQuery({
    queryKey: [path],
    queryFn: () => request<{ definition: Record<string, unknown> }>('GET', path),
  });
  async function restore() {
    setProblem(undefined);
    try {
      const saved = await request<WorkflowDetail>('POST', `${path}/restore`, { version: current });
      await showWorkflow(workspace_id, saved);
      tell(t('workflows.restored', { version, as: saved.workflow.version }));
      onRestored();
    } catch (error) {
      if (error instanceof Failure && error.members.size > 0) setProblem([...error.members.values()].join(' '));
      else {
        await queries.invalidateQueries({ queryKey: [workflowPath(workspace_id, id)] });
        setProblem(sentenceOf(error));
      }
    }
  }
  return (
    <Section title={t('workflows.version', { version })}>
      {problem && <Notice kind="danger">{problem}</Notice>}
      <Loaded query={read}>
        {({ definition }) => {
          const shown = definition as unknown as Definition;
          return (
            <>
              {version !== current && (
                <>
                  <p className={styles.soft}>{t('workflows.than_current')}</p>
                  <DifferenceList difference={compareDefinitions(detail.definition as unknown as Definition, shown)} />
                  <div>
                    <Button onPress={() => void restore()}>{t('workflows.restore', { version })}</Button>
                  </div>
                </>
              )}
              <Flow definition={shown} />
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}
