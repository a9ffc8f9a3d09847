import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from '@majlis/testing/fast-check';
import {
  advances,
  isWindowOpen,
  type MessageState,
  optInMissing,
  refuseDispatch,
  refuseSend,
  type SendingBot,
  type SendState,
} from './rules.ts';

const now = new Date('2026-11-20T10:00:00.000Z');
const after = (ms: number) => new Date(now.getTime() + ms);

describe('isWindowOpen', () => {
  it('is half open: a millisecond before its end it is open, at its end it is closed', () => {
    assert.deepEqual(
      [-1, 0, 1].map((ms) => isWindowOpen(now, after(ms))),
      [true, false, false],
    );
    assert.equal(isWindowOpen(null, now), false);
  });

  it('is open before its end and at no other time', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), fc.date({ noInvalidDate: true }), (end, moment) => {
        assert.equal(isWindowOpen(end, moment), moment.getTime() < end.getTime());
      }),
    );
  });
});

describe('refuseSend', () => {
  const free: SendState = { blocked: false, status: 'open', controller: 'human', window_expires_at: after(1) };
  const refuse = (state: Partial<SendState>, kind = 'text', reopens = false) =>
    refuseSend({ ...free, ...state }, { kind, reopens }, now)?.code;

  it('names the first of all that stands against it, in the contract’s order', () => {
    const all = { blocked: true, status: 'closed', controller: 'bot', window_expires_at: now };
    assert.equal(refuse(all), 'contact_blocked');
    assert.equal(refuse({ ...all, blocked: false }), 'conversation_closed');
    assert.equal(refuse({ ...all, blocked: false, status: 'open' }), 'bot_in_control');
    assert.equal(refuse({ ...all, blocked: false, status: 'open', controller: 'human' }), 'window_closed');
    assert.equal(refuse({}), undefined);
  });

  it('lets a template pass a closed window, and a send that reopens pass a closed conversation, nothing more', () => {
    assert.equal(refuse({ window_expires_at: null }, 'template'), undefined);
    assert.equal(refuse({ status: 'closed' }, 'text', true), undefined);
    assert.equal(refuse({ blocked: true }, 'template', true), 'contact_blocked');
    assert.equal(refuse({ controller: 'bot' }, 'template', true), 'bot_in_control');
    assert.equal(refuse({ window_expires_at: null }, 'reaction', true), 'window_closed');
  });

  it('lets exactly the bot in control write, and none that lost control', () => {
    const run = { controller: 'bot', workflow_run_id: 'run 1', ai_agent_id: null };
    const agent = { controller: 'bot', workflow_run_id: null, ai_agent_id: 'agent 1' };
    const as = (state: Partial<SendState>, kind: SendingBot['kind'], id: string, needs_control = true) => {
      const intent = { kind: 'text', reopens: true, bot: { kind, id, needs_control } };
      return refuseSend({ ...free, ...state }, intent, now)?.code;
    };
    assert.equal(as(run, 'workflow_run', 'run 1'), undefined);
    assert.equal(as(agent, 'ai_agent', 'agent 1'), undefined);
    for (const [state, kind, id] of [
      [run, 'workflow_run', 'run 2'],
      [run, 'ai_agent', 'run 1'],
      [agent, 'ai_agent', 'agent 2'],
      [agent, 'workflow_run', 'agent 1'],
      [{ controller: 'bot' }, 'ai_agent', 'agent 1'],
    ] as const) {
      for (const needs_control of [true, false]) {
        assert.equal(as(state, kind, id, needs_control), 'bot_in_control');
      }
    }
    assert.equal(as({}, 'workflow_run', 'run 1'), 'bot_in_control');
    assert.equal(as({}, 'workflow_run', 'run 1', false), undefined);
  });

  it('knows nothing of who is new but that they never wrote', () => {
    const unknown = { blocked: null, status: null, controller: null, window_expires_at: null };
    assert.equal(refuse(unknown), 'window_closed');
    assert.equal(refuse(unknown, 'template'), undefined);
  });
});

describe('advances', () => {
  const reported = ['sent', 'delivered', 'read', 'failed'] as const;
  const from = (status: MessageState['status'], outcome_unknown = false) =>
    reported.filter((status_) => advances({ status, outcome_unknown }, status_));

  it('only moves forwards along the chain', () => {
    assert.deepEqual(from('queued'), ['sent', 'delivered', 'read', 'failed']);
    assert.deepEqual(from('sent'), ['delivered', 'read', 'failed']);
    assert.deepEqual(from('delivered'), ['read']);
    assert.deepEqual(from('read'), []);
  });

  it('lifts a failure by a delivery, and one whose outcome was unknown by any word', () => {
    assert.deepEqual(from('failed'), ['delivered', 'read']);
    assert.deepEqual(from('failed', true), ['sent', 'delivered', 'read', 'failed']);
  });
});

describe('refuseDispatch', () => {
  const free = {
    blocked: false,
    is_cancelled: false,
    is_disconnected: false,
    template_status: null,
    is_marketing: false,
    marketing_opt_in: null,
    channel_fault: null,
    kind: 'text',
    quoted_platform_id: null,
  };
  const cases = [
    [{}, undefined],
    [{ template_status: 'approved' }, undefined],
    [{ template_status: 'paused' }, 'The template is no longer approved: it is paused.'],
    [{ is_marketing: true, marketing_opt_in: true }, undefined],
    [{ is_marketing: true }, `unprocessable_content: ${optInMissing}`],
    [{ blocked: true, channel_fault: '190: expired' }, 'The contact was blocked before the message was sent.'],
    [{ channel_fault: '190: expired' }, '190: expired'],
    [{ kind: 'reaction' }, 'The message that the reaction is for never reached the customer.'],
    [{ kind: 'reaction', quoted_platform_id: 'wamid.1' }, undefined],
  ] as const;
  for (const [state, reason] of cases) {
    it(`${JSON.stringify(state)}: ${reason ?? 'goes'}`, () => {
      assert.equal(refuseDispatch({ ...free, ...state }), reason);
    });
  }
});
