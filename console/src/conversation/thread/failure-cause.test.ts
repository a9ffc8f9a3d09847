import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { errors } from '@majlis/contract';
import { failures as ar } from '../../words/failures/ar.ts';
import { failures as en } from '../../words/failures/en.ts';
import { canHelpToSendAgain, causeOf } from './failure-cause.ts';

/** The platform's numbers that the sources of the service name, but those of other protocols. */
function namedNumbers(): string[] {
  const names = globSync('server/src/{platform,messages,templates,inbound,media}/**/*.ts', {
    exclude: (name) => name.endsWith('.test.ts'),
  });
  const texts = names.map((name) => readFileSync(name, 'utf8'));
  return [
    ...new Set(texts.flatMap((text) => [...text.matchAll(/\b13\d_?\d{3}\b/g)].map(([code]) => code.replace('_', '')))),
  ];
}

/** The words of failures that the service gives itself. */
function serviceWords(): string[] {
  const text = readFileSync('server/src/messages/thread/failure-code.ts', 'utf8');
  return [...text.matchAll(/^ {2}\['[^']+', '(\w+)'\]/gm)].map(([, word]) => word!);
}

/** Refusals that a message can fail with after its acceptance, or that the composer meets. */
const ofSends = [
  'window_closed',
  'contact_blocked',
  'conversation_closed',
  'bot_in_control',
  'template_not_found',
  'media_not_found',
] as const;

describe('why a message failed', () => {
  it('has a cause for every number of the platform and every word of the service', () => {
    const codes = [...namedNumbers(), ...serviceWords(), ...ofSends];
    assert.ok(codes.length >= 20, String(codes));
    assert.deepEqual(
      codes.filter((code) => causeOf(code) === 'other'),
      [],
    );
    for (const code of ofSends) assert.ok(code in errors, code);
  });

  it('has a sentence in both languages for each cause', () => {
    assert.deepEqual(Object.keys(ar).sort(), Object.keys(en).sort());
    for (const [cause, sentence] of Object.entries(en)) {
      assert.match(sentence, /[a-z].*\./, cause);
      assert.match(ar[cause as keyof typeof ar], /[\u0621-\u064a]{3}/, cause);
    }
  });

  it('has a sentence for an unknown number too', () => {
    assert.equal(causeOf('999999'), 'other');
    assert.equal(causeOf(undefined), 'other');
  });

  it('offers to send again only where that can help', () => {
    for (const code of ['131026', '131047', '131050', '132001', '135000', 'broadcast_cancelled']) {
      assert.equal(canHelpToSendAgain(code), false, code);
    }
    for (const code of ['131000', '131056', 'platform_unreachable', 'contact_blocked']) {
      assert.equal(canHelpToSendAgain(code), true, code);
    }
  });
});
