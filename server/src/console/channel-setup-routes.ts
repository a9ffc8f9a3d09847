import { consoleOperations } from '@majlis/console-api';
import { cancelOfChannel, listRunning } from '../broadcasts/cancel-of-channel.ts';
import { refreshChannelJob } from '../channels/jobs.ts';
import { setNumberState } from '../channels/queries.ts';
import { changeChannel, renewVerifyToken } from '../channels/set-up/change-channel.ts';
import { checkAccess, presentCheck } from '../channels/set-up/check-access.ts';
import { connectChannel } from '../channels/set-up/connect-channel.ts';
import { disconnectChannel } from '../channels/set-up/disconnect-channel.ts';
import {
  type ChannelStateRow,
  listChannelStates,
  lockChannelState,
  presentChannelState,
} from '../channels/set-up/read-channel-states.ts';
import { requireAccess } from '../channels/set-up/require-access.ts';
import { countOpenOfChannel } from '../conversations/count-open-of-channel.ts';
import { publicId } from '../database/ids.ts';
import type { Transaction } from '../database/transaction.ts';
import { invalid, Refusal } from '../http/reply/refusal.ts';
import { requireId } from '../http/require-id.ts';
import { requireText } from '../http/require-text.ts';
import { enqueueJobs } from '../jobs/enqueue.ts';
import { wakeGroup } from '../jobs/groups.ts';
import { countWaiting } from '../messages/dispatch/count-waiting.ts';
import { dispatchKinds } from '../messages/jobs.ts';
import { countOfChannel, failOfChannel } from '../messages/scheduled/fail-of-channel.ts';
import { recordActs } from '../people/audit.ts';
import { transactionOf } from '../people/hold-rights.ts';
import type { PlatformClient } from '../platform/client.ts';
import type { Resources } from '../process/resources.ts';
import { isOpenable } from '../secrets/encrypt.ts';
import { syncTemplatesJob } from '../templates/jobs.ts';
import { withinQuota } from '../workspaces/within-quota.ts';
import { toAct } from './member-routes.ts';
import type { ServeConsole } from './serve-console.ts';

/** Channels as administrators connect and mend them. Secrets come in and never go out. */
export function channelSetupRoutes(serve: ServeConsole, resources: Resources, platform: PlatformClient): void {
  const { config, pool, clock, secretBox } = resources;
  const callback_url = `${config.publicUrl.replace(/\/$/, '')}/platform/chatapp/webhook`;

  serve(consoleOperations.listChannelStates, async ({ caller }) => {
    const rows = await listChannelStates(pool, caller.workspace_id);
    return { status: 200, body: { data: rows.map((row) => presentChannelState(row, secretBox)), callback_url } };
  });

  serve(consoleOperations.checkChannelAccess, async ({ body }) => ({
    status: 200,
    body: presentCheck(await checkAccess(platform, body, { subscribes: false })),
  }));

  serve(consoleOperations.connectChannel, async ({ caller, body }) => {
    const { workspace_id } = caller;
    const name = requireText(body.name, '/name');
    // The platform is asked before the transaction, which holds no locks meanwhile.
    const access = await checkAccess(platform, body, { subscribes: true });
    requireAccess(access);
    const { row, verify_token } = await transactionOf(caller, pool, async (tx) => {
      const connected = await withinQuota(tx, config.quotas, { workspace_id, kind: 'channels' }, () =>
        connectChannel(tx, resources, workspace_id, { ...body, name }, access.number!),
      );
      const { phone_number_id, waba_id } = body;
      const targets = { channel_id: publicId('channel', connected.id) };
      await recordActs(tx, clock, [toAct(caller, 'connectChannel', targets, { name, phone_number_id, waba_id })]);
      await setNumberState(tx, clock, workspace_id, connected.id, { status: access.number!.status });
      await readFromPlatform(tx, workspace_id, connected.id);
      return { ...connected, row: (await lockChannelState(tx, workspace_id, connected.id))! };
    });
    return { status: 201, body: { state: presentChannelState(row, secretBox), callback_url, verify_token } };
  });

  serve(consoleOperations.checkChannel, async ({ caller, params }) => {
    const { workspace_id } = caller;
    const row = await requireConnected(workspace_id, params.channel_id);
    const { access_token, app_secret } = open(row);
    const { phone_number_id, waba_id } = row;
    const access = await checkAccess(
      platform,
      { phone_number_id, waba_id, access_token, app_secret },
      { subscribes: true },
    );
    await transactionOf(caller, pool, async (tx) => {
      await recordActs(tx, clock, [toAct(caller, 'checkChannel', { channel_id: params.channel_id })]);
      // Its next reading notes a token that the platform refuses.
      if (!access.number) return readFromPlatform(tx, workspace_id, row.id);
      const { display_phone } = access.number;
      await setNumberState(tx, clock, workspace_id, row.id, {
        ...access.number,
        display_phone: display_phone && `+${display_phone}`,
      });
    });
    return { status: 200, body: presentCheck(access) };
  });

  serve(consoleOperations.changeChannel, async ({ caller, params, body: { version, ...change } }) => {
    const { workspace_id } = caller;
    const { id, phone_number_id, ...row } = await requireConnected(workspace_id, params.channel_id);
    if (change.name !== undefined) change.name = requireText(change.name, '/name');
    const { waba_id, access_token, app_secret } = change;
    if (waba_id !== undefined || access_token !== undefined || app_secret !== undefined) {
      const stored = access_token === undefined || app_secret === undefined ? open(row) : undefined;
      requireAccess(
        await checkAccess(
          platform,
          {
            phone_number_id,
            waba_id: waba_id ?? row.waba_id,
            access_token: access_token ?? stored!.access_token,
            app_secret: app_secret ?? stored!.app_secret,
          },
          { subscribes: true },
        ),
      );
    }
    const changed = await transactionOf(caller, pool, async (tx) => {
      await changeChannel(tx, resources, { workspace_id, id }, version, change);
      const { name } = change;
      const replaced = [...(access_token ? ['access_token'] : []), ...(app_secret ? ['app_secret'] : [])];
      const details = { ...(name !== undefined && { name }), ...(waba_id !== undefined && { waba_id }), replaced };
      await recordActs(tx, clock, [toAct(caller, 'changeChannel', { channel_id: params.channel_id }, details)]);
      await readFromPlatform(tx, workspace_id, id);
      return (await lockChannelState(tx, workspace_id, id))!;
    });
    return { status: 200, body: presentChannelState(changed, secretBox) };
  });

  serve(consoleOperations.getDisconnection, async ({ caller: { workspace_id }, params }) => {
    const { id: channel_id } = await requireChannel(workspace_id, params.channel_id);
    const [waiting_messages, scheduled_messages, broadcasts, open_conversations] = await Promise.all([
      countWaiting(pool, { workspace_id, channel_id }),
      countOfChannel(pool, { workspace_id, channel_id }),
      listRunning(pool, { workspace_id, channel_id }),
      countOpenOfChannel(pool, { workspace_id, channel_id }),
    ]);
    const body = { waiting_messages, scheduled_messages, broadcasts: broadcasts.length, open_conversations };
    return { status: 200, body };
  });

  serve(consoleOperations.disconnectChannel, async ({ caller, params: { channel_id }, body: { version } }) => {
    const { workspace_id } = caller;
    const id = requireId('channel', channel_id);
    const row = await transactionOf(caller, pool, async (tx) => {
      await disconnectChannel(tx, resources, { workspace_id, id, version });
      const broadcasts = await cancelOfChannel(tx, clock, { workspace_id, channel_id: id });
      const waiting_messages = await countWaiting(tx, { workspace_id, channel_id: id });
      const scheduled_messages = await failOfChannel(tx, clock, { workspace_id, channel_id: id });
      // Their dispatch finds the channel disconnected, and fails them in their order.
      await wakeGroup(tx, dispatchKinds, id, clock.now());
      const details = { waiting_messages, broadcasts, scheduled_messages };
      await recordActs(tx, clock, [toAct(caller, 'disconnectChannel', { channel_id }, details)]);
      return (await lockChannelState(tx, workspace_id, id))!;
    });
    return { status: 200, body: presentChannelState(row, secretBox) };
  });

  serve(consoleOperations.renewVerifyToken, async ({ caller, params }) => {
    const { workspace_id } = caller;
    const { id } = await requireConnected(workspace_id, params.channel_id);
    const verify_token = await transactionOf(caller, pool, async (tx) => {
      await recordActs(tx, clock, [toAct(caller, 'renewVerifyToken', { channel_id: params.channel_id })]);
      return renewVerifyToken(tx, resources, { workspace_id, id });
    });
    return { status: 200, body: { callback_url, verify_token } };
  });

  /** Enqueues the jobs that read the state of the number and the templates of its account. */
  function readFromPlatform(tx: Transaction, workspace_id: string, channel_id: string): Promise<void> {
    const ref = { workspace_id, channel_id };
    const now = clock.now();
    return enqueueJobs(tx, [refreshChannelJob(ref, now), syncTemplatesJob(ref, now)]);
  }

  async function requireChannel(workspace_id: string, public_id: string): Promise<ChannelStateRow> {
    const id = requireId('channel', public_id);
    const row = (await listChannelStates(pool, workspace_id)).find((one) => one.id === id);
    if (!row) throw new Refusal('not_found');
    return row;
  }

  async function requireConnected(workspace_id: string, public_id: string): Promise<ChannelStateRow> {
    const row = await requireChannel(workspace_id, public_id);
    if (row.disconnected_at) throw new Refusal('changed_meanwhile', { detail: 'The channel is disconnected.' });
    return row;
  }

  function open({ access_token, app_secret }: Pick<ChannelStateRow, 'access_token' | 'app_secret'>) {
    if (!isOpenable(secretBox, access_token) || !isOpenable(secretBox, app_secret)) {
      throw invalid({
        detail: 'cannot be read any more: enter the access token and the app secret',
        pointer: '/access_token',
      });
    }
    return {
      access_token: secretBox.open(access_token, 'channels.access_token'),
      app_secret: secretBox.open(app_secret, 'channels.app_secret'),
    };
  }
}
