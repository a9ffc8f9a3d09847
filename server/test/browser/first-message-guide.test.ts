import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { startSimulator } from '@majlis/simulator';
import { cleanUp } from '@majlis/testing/cleanup';
import { freePort } from '@majlis/testing/free-port';
import { languages } from '@majlis/testing/languages';
import { openPages } from '@majlis/testing/open-pages';
import { runProgram } from '@majlis/testing/run-program';
import { makeFolder, startProcess } from '@majlis/testing/start-process';
import type { Locator, Page } from 'playwright-core';

const root = path.join(import.meta.dirname, '../../..');
const guide = readFileSync(path.join(root, 'docs/guides/first-message.md'), 'utf8');
const twoMinutesMs = 120_000;

type Step = { does: 'run'; text: string } | { does: string; label: string | undefined; value: string | undefined };

/** The blocks and bullets of the guide, in its order. */
const steps = [
  ...guide.matchAll(
    /^```sh\n(?<text>[\s\S]*?)^```$|^- (?<does>\w+) (?:\*\*(?<label>.+?)\*\*)?(?: (?:with|to) )?(?:`(?<value>.+?)`)?\.?$/gm,
  ),
].map(({ groups }): Step => {
  const { text, does, label, value } = groups!;
  return text === undefined ? { does: does!, label, value } : { does: 'run', text };
});
// A bullet that the test does not understand would be skipped.
assert.equal(steps.length, guide.match(/^(- |```sh$)/gm)!.length);
// What a person types in the other terminals; the test has ports and folders of its own.
const [serve, places, ...followed] = steps;

describe('the guide from nothing to a first message', () => {
  for (const locale of languages) {
    it(`is followed word for word on majlis serve, in less than two minutes (${locale})`, async () => {
      const labelled = await readLabels(locale);
      const simulator = await startSimulator({
        port: 0,
        delays: { sent_ms: 5, delivered_ms: 15, read_ms: 25, review_ms: 10 },
      });
      cleanUp('the simulator', () => simulator.close());
      const DATA_DIR = await makeFolder();
      const port = await freePort();
      const url = `http://127.0.0.1:${port}`;
      assert.deepEqual(namesIn(serve!), ['PORT', 'DATA_DIR', 'CHATAPP_API_URL']);
      const service = startProcess('bin/majlis.js', ['serve'], {
        env: { PORT: `${port}`, DATA_DIR, CHATAPP_API_URL: simulator.api_url, LOG_LEVEL: 'warn' },
      });
      await service.says(`Majlis is ready at ${url}`);
      assert.deepEqual(namesIn(places!), ['MAJLIS_URL', 'DATA_DIR', 'SIMULATOR_URL', 'SIMULATOR_TOKEN']);
      const env: Record<string, string> = {
        ...{ MAJLIS_URL: url, DATA_DIR },
        ...{ SIMULATOR_URL: simulator.url, SIMULATOR_TOKEN: simulator.control_token },
      };
      const pages = await openPages({ url });
      const { page, context, troubles } = await pages.open({ locale, viewport: { width: 1440, height: 900 } });
      page.setDefaultTimeout(20_000);
      const begun = performance.now();
      for (const step of followed) await follow(step);
      assert.ok(performance.now() - begun < twoMinutesMs, `${performance.now() - begun} ms`);
      assert.deepEqual(troubles, []);
      await context.close();

      async function follow(step: Step): Promise<void> {
        if ('text' in step) return run(step.text);
        const { does, label, value } = step;
        const name = label === undefined ? undefined : labelled(label);
        switch (does) {
          case 'Fill':
            return shownIn(page).getByLabel(name!).first().fill(value!);
          case 'Press':
            return shownIn(page).getByRole('button', { name: name! }).first().click();
          case 'Follow':
            return page.getByRole('link', { name: name! }).first().click();
          case 'Copy':
            env[value!] = await shownIn(page).getByLabel(name!).inputValue();
            return;
          case 'See':
            return page
              .getByText(name ?? value!)
              .last()
              .waitFor();
          default:
            throw new Error(`the test knows no way to ${does}`);
        }
      }

      async function run(text: string): Promise<void> {
        const majlis = `"${process.execPath}" "${path.join(root, 'server/bin/majlis.js')}"`;
        const script = `set -e\n${text.replaceAll('npx majlis', majlis)}`;
        const { code, output } = await runProgram('bash', ['-c', script], { env, cwd: DATA_DIR });
        assert.equal(code, 0, output);
        const link = /https?:\/\/\S+#\S+/.exec(output);
        if (link) await page.goto(link[0]);
      }
    });
  }
});

/** A dialog hides what is behind it. */
function shownIn(page: Page): Page | Locator {
  return page.getByRole('dialog').or(page.locator('body:not(:has([role=dialog]))')).first();
}

/** The variables that a block sets. */
function namesIn(step: Step): string[] {
  return 'text' in step ? [...step.text.matchAll(/([A-Z_]+)=/g)].map(([, name]) => name!) : [];
}

/** A label of the guide as the console writes it in a language. A label may stand for several words. */
async function readLabels(locale: 'en' | 'ar'): Promise<(label: string) => RegExp> {
  const [en, wanted] = await Promise.all([readWords('en'), readWords(locale)]);
  return (label) => {
    const found = Object.keys(en).flatMap((id) => (en[id] === label ? (wanted[id] ?? []) : []));
    assert.ok(found.length > 0, `the console has no word ${JSON.stringify(label)}`);
    return new RegExp(`^(${[...new Set(found)].map(escapeText).join('|')})$`);
  };
}

const escapeText = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

async function readWords(locale: string): Promise<Record<string, string>> {
  const folder = path.join(root, 'console/src/words', locale);
  const files = globSync('*.ts', { cwd: folder });
  const modules = await Promise.all(files.map((file) => import(path.join(folder, file))));
  return Object.assign({}, ...modules.flatMap((module) => Object.values(module)));
}
