import type { CannedReply } from '@majlis/console-api';
import { mayAct } from '@majlis/console-api/roles';
import { useInfiniteQuery } from '@tanstack/react-query';
import { MessageSquareText, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Membership } from '../live/membership.ts';
import { request } from '../live/request.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Empty } from '../parts/empty.tsx';
import { Field } from '../parts/field.tsx';
import { List, Row, Soft } from '../parts/list.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { t } from '../words/words.ts';
import { CannedReplyDialog } from './canned-reply-dialog.tsx';
import { RemovalDialog } from './use-counts.tsx';

interface RepliesPage {
  data: CannedReply[];
  next_cursor?: string;
}

/** The texts that `/` inserts: those of the person, and those of everybody. */
export function CannedRepliesPage({ membership }: { membership: Membership }) {
  const base = `/workspaces/${membership.workspace_id}/canned-replies`;
  const [prefix, setPrefix] = useState('');
  const [edited, setEdited] = useState<CannedReply | 'new'>();
  const [deleted, setDeleted] = useState<CannedReply>();
  const mayShare = mayAct(membership.role, 'supervisor');
  const replies = useInfiniteQuery({
    queryKey: [base, 'page', prefix],
    queryFn: ({ pageParam }) => {
      const query = new URLSearchParams({
        ...(prefix !== '' && { prefix }),
        ...(pageParam !== '' && { cursor: pageParam }),
      });
      return request<RepliesPage>('GET', `${base}?${query}`);
    },
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: (before) => before,
  });
  const create = (
    <Button look="primary" onPress={() => setEdited('new')}>
      <Plus size={18} aria-hidden />
      {t('canned.create')}
    </Button>
  );
  return (
    <Page title={t('canned.title')} hint={t('canned.hint')} action={create}>
      <Field label={t('canned.search')} type="search" value={prefix} onChange={setPrefix} />
      <Loaded query={replies}>
        {({ pages }) => {
          const all = pages.flatMap(({ data }) => data);
          if (all.length === 0) {
            return (
              <Empty
                icon={<MessageSquareText aria-hidden />}
                title={t(prefix === '' ? 'canned.empty' : 'composer.canned_none')}
              />
            );
          }
          return (
            <List>
              {all.map((reply) => (
                <ReplyRow
                  key={reply.id}
                  reply={reply}
                  mayChange={mayShare || !reply.shared}
                  onEdit={() => setEdited(reply)}
                  onDelete={() => setDeleted(reply)}
                />
              ))}
            </List>
          );
        }}
      </Loaded>
      {replies.hasNextPage && (
        <Button isPending={replies.isFetchingNextPage} onPress={() => void replies.fetchNextPage()}>
          {t('canned.more')}
        </Button>
      )}
      {edited && (
        <CannedReplyDialog
          base={base}
          reply={edited === 'new' ? undefined : edited}
          mayShare={mayShare}
          onClose={() => setEdited(undefined)}
          onSaved={replies.refetch}
        />
      )}
      {deleted && (
        <RemovalDialog
          title={t('canned.delete_title', { name: `\u2068/${deleted.name}\u2069` })}
          hint={t('canned.delete_hint')}
          counts={`${base}/${deleted.id}/use`}
          words={{ people: deleted.shared ? 'canned.delete_shared' : 'canned.delete_own' }}
          action={t('canned.delete')}
          act={async () => {
            await request('DELETE', `${base}/${deleted.id}`);
            await replies.refetch();
          }}
          workspace_id={membership.workspace_id}
          onClose={() => setDeleted(undefined)}
        />
      )}
    </Page>
  );
}

interface RowProps {
  reply: CannedReply;
  mayChange: boolean;
  onEdit: () => void;
  onDelete: () => void;
}

function ReplyRow({ reply: { name, body, shared, language }, mayChange, onEdit, onDelete }: RowProps) {
  const named = `\u2068/${name}\u2069`;
  return (
    <Row
      title={
        <>
          <bdi>/{name}</bdi>
          <Badge kind={shared ? 'accent' : 'plain'}>{t(shared ? 'canned.shared' : 'canned.own')}</Badge>
          {language && <Badge>{language}</Badge>}
        </>
      }
      end={
        mayChange && (
          <>
            <Button look="quiet" aria-label={`${t('canned.edit')}: ${named}`} onPress={onEdit}>
              {t('canned.edit')}
            </Button>
            <Button look="quiet" aria-label={`${t('canned.delete')}: ${named}`} onPress={onDelete}>
              {t('canned.delete')}
            </Button>
          </>
        )
      }
    >
      <Soft>
        <span dir="auto">{body}</span>
      </Soft>
    </Row>
  );
}
