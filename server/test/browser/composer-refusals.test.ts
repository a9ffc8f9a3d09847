import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { limits } from '@majlis/contract/limits';
import { composerWords } from '@majlis/testing/composer-words';
import { eventually } from '@majlis/testing/eventually';
import { holdReadings } from '@majlis/testing/hold-readings';
import type { AnyJson } from '@majlis/testing/json';
import { languages } from '@majlis/testing/languages';
import { samples } from '@majlis/testing/media';
import { newDigits } from '@majlis/testing/messages';
import { draftsOf, type OpenedComposer, openComposer, sentTexts } from '@majlis/testing/open-composer';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { filesAtPlatform } from '@majlis/testing/platform-files';
import { receiveMessage } from '@majlis/testing/receive-message';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService, type TestWorkspace, templateMessage } from '@majlis/testing/start-test-service';
import type { Page } from 'playwright-core';
import { parseId } from '../../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const { url } = majlis;
const pages = await openPages(majlis);

interface Site {
  workspace: TestWorkspace;
  member: Member;
}
async function makeSite(): Promise<Site> {
  const workspace = await majlis.workspace({ ai_agents: [{ name: 'Concierge' }] });
  return { workspace, member: await joinWorkspace(majlis, workspace, { name: 'Muna Salim' }) };
}
const shared = await makeSite();

/** An open conversation, in the page and by the API. */
interface Subject extends Site {
  digits: string;
  conversation_id: string;
  contact_id: string;
  opened: OpenedComposer;
}

/** What the composer says and offers. Each refusal of the gate is a row. */
interface Row {
  code: string;
  /** Brings it about, as somebody else does. */
  arrange(subject: Subject): Promise<unknown>;
  /** What stands there before a send; what a send is told that was faster than the news of it. */
  notice: keyof typeof shownWords;
  told: keyof typeof shownWords;
  /** The button that leads out, or else how others end it. */
  way?: 'unblock' | 'reopen' | 'take_over';
  end?(subject: Subject): Promise<unknown>;
  /** Only a template may be sent, so the templates stand in the place of the field. */
  offersTemplates?: true;
  /** In a workspace of its own. */
  isApart?: true;
}
type Words = OpenedComposer['words'];
const shownWords = {} as { [Name in keyof Words as Words[Name] extends string ? Name : never]: true };

const post = ({ member, conversation_id }: Subject, action: string, body: object = {}) =>
  member.at('POST', `/conversations/${conversation_id}/${action}`, body);
const patch = ({ member, contact_id }: Subject, body: object) => member.at('PATCH', `/contacts/${contact_id}`, body);
const write = ({ workspace, digits }: Subject) => receiveMessage(majlis, workspace, digits);

async function channelState({ workspace, member }: Subject): Promise<AnyJson> {
  const { body } = await member.at('GET', '/channel-states');
  return body.data.find(({ channel }: AnyJson) => channel.id === workspace.channel_id);
}
async function disconnect(subject: Subject): Promise<void> {
  const { version } = await channelState(subject);
  const path = `/channels/${subject.workspace.channel_id}/disconnection`;
  const { status, body } = await subject.member.at('POST', path, { version });
  assert.equal(status, 200, JSON.stringify(body));
}
async function connectAgain({ workspace, member }: Subject): Promise<void> {
  const { phone_number_id, waba_id, access_token, app_secret } = workspace;
  const access = { name: 'Support', phone_number_id, waba_id, access_token, app_secret };
  const { status, body } = await member.at('POST', '/channels', access);
  assert.equal(status, 201, JSON.stringify(body));
}
/** No operation takes the last number of a contact, but a move of numbers at the platform may. */
async function moveNumber(subject: Subject, from: string, to: string): Promise<void> {
  await majlis.sql('update contact_identities set channel_type = $1 where contact_id = $2 and channel_type = $3', [
    to,
    parseId('contact', subject.contact_id),
    from,
  ]);
  await patch(subject, { name: `Salim ${newDigits()}` });
}

const rows: Row[] = [
  {
    code: 'contact_blocked',
    arrange: (subject) => patch(subject, { blocked: true }),
    notice: 'is_blocked',
    told: 'blocked',
    way: 'unblock',
  },
  {
    code: 'conversation_closed',
    arrange: (subject) => post(subject, 'close'),
    notice: 'closed',
    told: 'closed_meanwhile',
    way: 'reopen',
  },
  {
    code: 'bot_in_control',
    arrange: (subject) =>
      post(subject, 'handover', { to: 'bot', ai_agent_id: subject.workspace.applied.ai_agents[0].id }),
    notice: 'bot',
    told: 'bot_meanwhile',
    way: 'take_over',
  },
  {
    code: 'window_closed',
    arrange: (subject) => majlis.advance(limits.window_seconds).then(() => patch(subject, { name: 'Salim' })),
    notice: 'closed_window',
    told: 'window_over',
    end: write,
    offersTemplates: true,
  },
  {
    code: 'unprocessable_content of /channel_id',
    arrange: disconnect,
    notice: 'no_channel',
    told: 'no_channel',
    end: connectAgain,
    isApart: true,
  },
  {
    code: 'unprocessable_content of /contact_id',
    arrange: (subject) => moveNumber(subject, 'chatapp', 'sms'),
    notice: 'no_address',
    told: 'no_address',
    end: (subject) => moveNumber(subject, 'sms', 'chatapp'),
  },
];

/** While it is held, the page learns nothing of what decides about sends. */
const gateOf = (page: Page) => holdReadings(page, '**/opening');

for (const locale of languages) {
  async function open(site: Site): Promise<Subject> {
    const digits = newDigits();
    const { conversation_id, contact_id } = await receiveMessage(majlis, site.workspace, digits);
    const opened = await openComposer(pages, { url, ...site, conversation_id }, { locale });
    return { ...site, digits, conversation_id, contact_id, opened };
  }

  describe(`a refusal of the gate is said with its way out, and the draft stays, in ${locale}:`, () => {
    for (const row of rows)
      it(row.code, async () => {
        const subject = await open(row.isApart ? await makeSite() : shared);
        const { opened, member, workspace, conversation_id } = subject;
        const { page, words, reply, context, troubles } = opened;
        const notice = page.getByRole('status').filter({ hasText: words[row.notice] as string });
        const send = page.getByRole('button', { name: words.send, exact: true });
        const untilSaved = (text: string) =>
          eventually(
            () => draftsOf(member, conversation_id),
            (drafts) => drafts.length === 1 && drafts[0] === `reply: ${text}`,
          );
        async function checkNotice(draft: string): Promise<void> {
          await notice.waitFor();
          if (row.offersTemplates) {
            await page.getByRole('row', { name: 'order_update' }).waitFor();
            await page.getByRole('blockquote').getByText(draft).waitFor();
          } else {
            assert.equal(await reply.inputValue(), draft);
            assert.equal(await send.isDisabled(), true);
          }
        }
        async function takeWay(draft: string): Promise<void> {
          if (row.way) await notice.getByRole('button', { name: words[row.way] }).click();
          else await row.end!(subject);
          await notice.waitFor({ state: 'detached' });
          assert.equal(await reply.inputValue(), draft);
        }

        const gate = await gateOf(page);

        // Before the send.
        await reply.fill('Half a reply');
        await untilSaved('Half a reply');
        await row.arrange(subject);
        await checkNotice('Half a reply');
        await takeWay('Half a reply');

        // A send that is faster than the news.
        await gate.hold();
        await row.arrange(subject);
        await reply.press('Enter');
        await page
          .getByRole('alert')
          .getByText(words[row.told] as string)
          .waitFor();
        assert.equal(await reply.inputValue(), 'Half a reply');
        assert.deepEqual(await sentTexts(workspace, conversation_id), []);
        gate.letGo();
        await checkNotice('Half a reply');
        await untilSaved('Half a reply');
        await takeWay('Half a reply');
        await reply.press('Enter');
        await eventually(
          () => sentTexts(workspace, conversation_id),
          (texts) => texts.length === 1 && texts[0] === 'Half a reply',
        );
        assert.deepEqual(troubles, []);
        await context.close();
      });

    it('a customer who has not written yet', async () => {
      const { workspace, member } = shared;
      const digits = newDigits();
      const { body } = await workspace.api.post('/messages', { to: `+${digits}`, ...templateMessage });
      const { conversation_id } = body;
      const path = `/w/${workspace.id}/inbox/${conversation_id}`;
      const { page, context } = await openSignedIn(pages, { url, member, path }, { locale });
      const words = composerWords[locale];
      await page.getByRole('status').filter({ hasText: words.unwritten }).waitFor();
      await page.getByRole('row', { name: 'order_update' }).waitFor();
      await receiveMessage(majlis, workspace, digits);
      await page.getByRole('textbox', { name: words.reply_label }).waitFor();
      await context.close();
    });

    it('a disconnected number, which the owner may connect again', async () => {
      const subject = await open(await makeSite());
      const { page, words, context } = subject.opened;
      await disconnect(subject);
      const notice = page.getByRole('status').filter({ hasText: words.no_channel });
      await notice.waitFor();
      assert.equal(await page.getByText(/DISCONNECTED/).count(), 0);
      await notice.getByRole('button', { name: words.to_channels }).click();
      await page.waitForURL(`${url}/w/${subject.workspace.id}/channels`);
      await context.close();
    });
  });

  describe(`what a send names and the service has no more, in ${locale}:`, () => {
    it('an opt-in that was withdrawn: the template is given back with the reason', async () => {
      const subject = await open(shared);
      const { page, words, context, troubles } = subject.opened;
      const identities = [{ channel_type: 'chatapp', identifier: `+${subject.digits}` }];
      const consent = (chatapp_marketing: boolean) =>
        subject.member.at('POST', '/contacts', { identities, consents: { chatapp_marketing } });
      const gate = await gateOf(page);
      await consent(true);
      await page.getByRole('toolbar').getByRole('button', { name: words.templates }).click();
      await page.getByRole('row', { name: 'spring_sale', disabled: false }).click();
      await gate.hold();
      await consent(false);
      const send = page.getByRole('button', { name: words.template_send });
      await send.click();
      await page.getByRole('alert').getByText(words.no_opt_in).waitFor();
      gate.letGo();
      await page.getByRole('status').getByText(words.no_opt_in).waitFor();
      assert.equal(await send.isDisabled(), true);
      await consent(true);
      await send.click();
      await eventually(
        () => sentTexts(subject.workspace, subject.conversation_id),
        (texts) => texts.length === 1,
      );
      assert.deepEqual(troubles, []);
      await context.close();
    });

    it('a template that was deleted: what was written in it stays, and the list has it no more', async () => {
      const subject = await open(await makeSite());
      const { page, words, context } = subject.opened;
      await page.getByRole('toolbar').getByRole('button', { name: words.templates }).click();
      await page.getByRole('row', { name: 'order_update' }).click();
      for (const number of [1, 2])
        await page.getByRole('textbox', { name: words.template_value(number) }).fill(`value ${number}`);
      await majlis.sql("update templates set status = 'rejected' where name = 'order_update' and workspace_id = $1", [
        parseId('workspace', subject.workspace.id),
      ]);
      await page.getByRole('button', { name: words.template_send }).click();
      await page.getByRole('alert').getByText(words.template_gone).waitFor();
      await page.getByRole('status').getByText(words.template_gone).waitFor();
      for (const number of [1, 2])
        assert.equal(
          await page.getByRole('textbox', { name: words.template_value(number) }).inputValue(),
          `value ${number}`,
        );
      await page.getByRole('button', { name: words.template_back }).click();
      await page.getByRole('row', { name: 'spring_sale' }).waitFor();
      await page.getByRole('row', { name: 'order_update' }).waitFor({ state: 'detached' });
      await context.close();
    });

    it('a file: it is uploaded again, and those behind it keep their order', async () => {
      const subject = await open(shared);
      const { page, words, reply, context } = subject.opened;
      const chosen = page.waitForEvent('filechooser');
      await page.getByRole('toolbar').getByRole('button', { name: words.attach }).click();
      const files = ['one', 'two', 'three'].map((name) => ({
        name: `${name}.pdf`,
        mimeType: 'application/pdf',
        buffer: Buffer.concat([samples.pdf, Buffer.from(name)]),
      }));
      await (await chosen).setFiles(files);
      const item = (name: string) =>
        page.getByRole('list', { name: words.attachments }).getByRole('listitem').filter({ hasText: name });
      for (const { name } of files) await item(name).getByText(words.ready).waitFor();
      await majlis.sql(`delete from media m where filename = 'one.pdf'
        and not exists (select from messages s where s.workspace_id = m.workspace_id and s.media_id = m.id)`);
      await reply.fill('All of them');
      await reply.press('Enter');
      await item('one.pdf').getByText(words.file_gone).waitFor();
      assert.equal(await reply.inputValue(), 'All of them');
      await item('one.pdf').getByRole('button', { name: words.retry_upload }).click();
      for (const { name } of files) await item(name).getByText(words.ready).waitFor();
      await reply.press('Enter');
      const sent = await filesAtPlatform(majlis, subject.workspace, subject.conversation_id, 3);
      assert.deepEqual(
        sent.map(({ body, bytes }) => [body.filename, body.caption, bytes.toString()]),
        files.map(({ name, buffer }, n) => [name, n === 0 ? 'All of them' : undefined, buffer.toString()]),
      );
      await context.close();
    });
  });
}
