import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultDelays, silentDelays } from '../options.ts';
import { findScript } from '../scripts.ts';
import { planStatuses } from './plan-statuses.ts';

const delays = { ...defaultDelays, sent_ms: 10, delivered_ms: 20, read_ms: 30 };

function plan(suffix: string, reaction = false): string[] {
  const script = findScript(suffix);
  const steps = planStatuses({ delays, held_ms: 100, script, failure: undefined, reaction });
  return steps.map((step) => `${step.after_ms} ${step.status}${step.code ?? ''}${step.copies ? '×2' : ''}`);
}

test('reports sent, delivered and read in time', () => {
  assert.deepEqual(plan('000000'), ['10 sent', '20 delivered', '30 read']);
});

test('reports nothing of a reaction after sent', () => {
  assert.deepEqual(plan('000000', true), ['10 sent']);
});

test('follows the script of the number', () => {
  assert.deepEqual(plan('131026'), ['10 failed131026']);
  assert.deepEqual(plan('700002'), ['10 read', '20 delivered', '30 sent']);
  assert.deepEqual(plan('700003').slice(0, 4), ['10 sent×2', '20 delivered×2', '30 read×2', '40 sent']);
  assert.deepEqual(plan('700004'), ['10 sent', '20 delivered']);
  assert.deepEqual(plan('700005'), ['10 sent', '30 read']);
  assert.deepEqual(plan('700006'), ['10 sent', '30 failed131026']);
  assert.deepEqual(plan('700008'), ['10 failed131026', '20 delivered']);
  assert.deepEqual(plan('700009'), ['110 sent', '120 delivered', '130 read']);
  assert.deepEqual(plan('700010'), ['100 failed132015']);
  assert.deepEqual(plan('700012'), []);
  assert.deepEqual(plan('502504'), []);
});

test('lets what the customer cannot receive win over the script', () => {
  const script = findScript('700002');
  const steps = planStatuses({ delays, held_ms: 1, script, failure: { code: 131047 }, reaction: false });
  assert.deepEqual(steps, [{ after_ms: 10, status: 'failed', code: 131047 }]);
});

test('is silent when all statuses are switched off', () => {
  const situation = { held_ms: 1, script: findScript('131026'), failure: undefined, reaction: false };
  assert.deepEqual(planStatuses({ ...situation, delays: silentDelays }), []);
});
