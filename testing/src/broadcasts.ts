import assert from 'node:assert/strict';
import { parseId } from '../../server/src/database/ids.ts';
import { callControl } from './call-control.ts';
import { eventually } from './eventually.ts';
import type { AnyJson } from './json.ts';
import type { TestService, TestWorkspace } from './start-test-service.ts';

/** Templates of every workspace of the tests: one of utility with two variables, one of marketing with none. */
export const utilityTemplate = { name: 'order_update', language: 'en' };
export const marketingTemplate = { name: 'spring_sale', language: 'en' };

/** The steps of broadcast tests, through the HTTP APIs of this service. */
export function createBroadcastClient(majlis: TestService) {
  function post({ api }: TestWorkspace, audience: object, more: object = {}) {
    return api.post('/broadcasts', { name: 'Sale', template: utilityTemplate, audience, ...more });
  }

  async function create(workspace: TestWorkspace, audience: object, more: object = {}): Promise<AnyJson> {
    const { status, body, text } = await post(workspace, audience, more);
    assert.equal(status, 201, text);
    return body;
  }

  async function read({ api }: TestWorkspace, id: string): Promise<AnyJson> {
    return (await api.get(`/broadcasts/${id}`)).body;
  }

  async function cancel({ api }: TestWorkspace, id: string): Promise<AnyJson> {
    const { status, body, text } = await api.post(`/broadcasts/${id}/cancel`);
    assert.equal(status, 200, text);
    return body;
  }

  /** Waits for these counts. In every answer the counts must add up to the total. */
  function untilCounts(workspace: TestWorkspace, id: string, counts: Record<string, number>): Promise<AnyJson> {
    return eventually(
      () => read(workspace, id),
      (broadcast) => {
        const { total, queued, sent, failed } = broadcast.counts;
        assert.equal(queued + sent + failed, total);
        return Object.entries(counts).every(([name, count]) => broadcast.counts[name] === count);
      },
    );
  }

  function untilStatus(workspace: TestWorkspace, id: string, status: string): Promise<AnyJson> {
    return eventually(
      () => read(workspace, id),
      (broadcast) => broadcast.status === status,
    );
  }

  /** The recipients with their outcomes, from the operator's API. */
  async function outcomes({ id }: TestWorkspace, broadcast_id: string): Promise<AnyJson[]> {
    return (await majlis.operator('GET', `/workspaces/${id}/broadcasts/${broadcast_id}/recipients`)).body.data;
  }

  /** Pauses the dispatch of broadcast messages until the returned function is called. */
  async function pauseDispatch({ channel_id }: TestWorkspace): Promise<() => Promise<void>> {
    const channel = [parseId('channel', channel_id)];
    await majlis.sql(`insert into job_groups values ('messages.deliver_bulk', $1, '2200-01-01')`, channel);
    return async () => void (await majlis.sql('delete from job_groups where group_id = $1', channel));
  }

  /** Waits until `count` messages of the broadcast are stored. */
  async function untilHandedOver(id: string, count: number): Promise<void> {
    await eventually(
      () => majlis.sql('select from messages where broadcast_id = $1', [parseId('broadcast', id)]),
      (messages) => messages.length === count,
    );
  }

  async function contact({ api }: TestWorkspace, digits: string, more: object = {}): Promise<string> {
    const identities = [{ channel_type: 'chatapp', identifier: `+${digits}` }];
    const { status, body, text } = await api.post('/contacts', { identities, ...more });
    assert.equal(status, 201, text);
    return body.id;
  }

  /** The digits of the recipients in the platform's ledger, in order. */
  function sentTo({ phone_number_id }: TestWorkspace): string[] {
    const entries = majlis.simulator.ledger().filter((entry) => entry.phone_number_id === phone_number_id);
    return entries.map(({ to }) => to!.replace('+', ''));
  }

  /** Sets the tier at the platform and waits until the service knows it. */
  async function setTier({ phone_number_id }: TestWorkspace, tier: number): Promise<void> {
    await callControl(majlis, 'PATCH', `/numbers/${phone_number_id}`, { tier: `TIER_${tier}` });
    await eventually(
      () => majlis.sql('select messaging_tier from channels where phone_number_id = $1', [phone_number_id]),
      ([row]) => row!.messaging_tier === tier,
    );
  }

  async function now(): Promise<number> {
    return new Date((await majlis.operator('GET', '/clock')).body.now).getTime();
  }

  /** Waits until no broadcast job is due. */
  async function untilIdle(): Promise<void> {
    const due = `select from jobs where kind like 'broadcasts.%' and run_at <= $1`;
    await eventually(
      // A job that ends while the time is read leaves the next one with a later time.
      async () => majlis.sql(due, [new Date((await now()) + 1000)]),
      (rows) => rows.length === 0,
    );
  }

  const doors = {
    post,
    create,
    read,
    cancel,
    untilCounts,
    untilStatus,
    outcomes,
    contact,
    sentTo,
    setTier,
    now,
    untilIdle,
  };
  return { ...doors, pauseDispatch, untilHandedOver };
}
