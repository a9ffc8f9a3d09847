import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judgeKey, withoutKey } from './change-key.ts';

const contacts = { id: 'go./contacts', shortcut: { code: 'KeyV', after: 'KeyG' } };
const shown = [contacts];

describe('a key for a command', () => {
  it('is kept where no other command has it, by its place and with Shift', () => {
    const judgement = judgeKey('conversation.snooze', { code: 'KeyA', shift: true }, shown, {
      'conversation.assign_to_me': { code: 'KeyW' },
    });
    assert.deepEqual(judgement, {
      type: 'kept',
      own: { 'conversation.assign_to_me': { code: 'KeyW' }, 'conversation.snooze': { code: 'KeyA', shift: true } },
    });
  });

  it('clashes with the key of another command, and both can be swapped', () => {
    assert.deepEqual(judgeKey('conversation.snooze', { code: 'KeyA' }, shown, {}), {
      type: 'clash',
      others: ['conversation.assign'],
      swapped: { 'conversation.snooze': { code: 'KeyA' }, 'conversation.assign': { code: 'KeyS' } },
    });
  });

  it('clashes with a key of another page that is used with the same commands', () => {
    const judgement = judgeKey('app.undo', { code: 'KeyY' }, shown, {});
    assert.equal(judgement.type === 'clash' && judgement.others[0], 'proposals.accept');
  });

  it('does not clash with a key of a page where the command is not', () => {
    assert.equal(judgeKey('conversation.snooze', { code: 'KeyY' }, shown, {}).type, 'kept');
  });

  it('closes and reopens: both commands keep one key', () => {
    const key = { code: 'KeyW' };
    assert.deepEqual(judgeKey('conversation.close', key, shown, {}), {
      type: 'kept',
      own: { 'conversation.close': key, 'conversation.reopen': key },
    });
  });

  it('swaps with both of two that share a key', () => {
    const judgement = judgeKey('conversation.snooze', { code: 'KeyE' }, shown, {});
    assert.deepEqual(judgement, {
      type: 'clash',
      others: ['conversation.close', 'conversation.reopen'],
      swapped: {
        'conversation.snooze': { code: 'KeyE' },
        'conversation.close': { code: 'KeyS' },
        'conversation.reopen': { code: 'KeyS' },
      },
    });
  });

  it('offers no swap that would clash again', () => {
    const judgement = judgeKey('proposals.edit', { code: 'KeyZ' }, shown, {});
    assert.deepEqual(judgement, { type: 'clash', others: ['app.undo'], swapped: undefined });
  });

  it('is nobody’s own once it is the one that the command came with', () => {
    const own = { 'go./contacts': { code: 'KeyW' }, 'conversation.stage': { code: 'KeyP' } };
    assert.deepEqual(judgeKey(contacts.id, contacts.shortcut, shown, own), {
      type: 'kept',
      own: { 'conversation.stage': { code: 'KeyP' } },
    });
  });

  it('is the first one of a command that came without, and clashes as any other', () => {
    const key = { code: 'KeyW' };
    assert.deepEqual(judgeKey('composer.attach', key, shown, {}), { type: 'kept', own: { 'composer.attach': key } });
    assert.deepEqual(judgeKey('composer.attach', { code: 'KeyS' }, shown, {}), {
      type: 'clash',
      others: ['conversation.snooze'],
      swapped: undefined,
    });
    const own = { 'composer.attach': key, 'composer.voice': { code: 'KeyC' } };
    assert.deepEqual(judgeKey('conversation.snooze', key, shown, own), {
      type: 'clash',
      others: ['composer.attach'],
      swapped: { 'conversation.snooze': key, 'composer.attach': { code: 'KeyS' }, 'composer.voice': { code: 'KeyC' } },
    });
    assert.deepEqual(withoutKey('composer.attach', own), { 'composer.voice': { code: 'KeyC' } });
  });

  for (const [key, why] of [
    [{ code: 'Tab' }, 'moves'],
    [{ code: 'F5' }, 'moves'],
    [{ code: 'KeyG' }, 'go'],
    [{ code: 'KeyT', mod: true }, 'browser'],
    [{ code: 'KeyV', mod: true }, 'browser'],
    [{ code: 'Enter', mod: true }, 'browser'],
  ] as const) {
    it(`is refused where it is reserved: ${JSON.stringify(key)}`, () => {
      assert.deepEqual(judgeKey('conversation.snooze', key, shown, {}), { type: 'reserved', why });
    });
  }
});
