import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { by, startChats } from '@majlis/testing/start-chats';

// What a stranger writes about themselves cannot deceive.

const { majlis, workspace, newChat, report, messagesOf, threadOf } = await startChats();

describe('what a stranger shows of themselves', () => {
  const nameOf = async (name: string, more: object = {}): Promise<string | undefined> => {
    const digits = newDigits();
    const contacts = [{ profile: { name, ...more }, wa_id: digits }];
    await postNotification(majlis, workspace, { contacts, messages: [platformText(digits, 'Hello')] });
    await untilNotificationsProcessed(majlis);
    return (await workspace.api.get(`/contacts?q=${digits}`)).body.data[0].name;
  };

  it('is no name where nothing of it is visible', async () => {
    const blanks = [
      '\u3164',
      '\u2800\u2800',
      '\u200b\u200d',
      '\u115f\u1160',
      '\uffa0',
      '\u{e0041}',
      '\u0301',
      ' \u00a0\u2003',
      '\ufe0f',
      '\u{1d159}',
      '\u{13441}\u{13442}',
    ];
    for (const name of blanks) assert.equal(await nameOf(name), undefined, JSON.stringify(name));
    assert.equal(await nameOf('\u3164', { username: 'muna' }), 'muna');
  });

  it('keeps names with letters and pictures, without what reorders the text around them', async () => {
    assert.equal(await nameOf('\u202eMuna\u202c\n🌙'), 'Muna 🌙');
    assert.equal(await nameOf('عبد الله'), 'عبد الله');
    assert.equal(await nameOf('❤️'), '❤️');
  });

  it('begins and ends with what is visible', async () => {
    const england = '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}';
    const names: [string, string][] = [
      ['\u3164Muna', 'Muna'],
      ['\u115f\u200bMuna\u2800\u3164\u200d', 'Muna'],
      ['\u206aMu\u206fna\u206c', 'Muna'],
      ['Mu\u{e0041}na\u{e0041}', 'Muna'],
      ['\u0301Zoe\u0301', 'Zoe\u0301'],
      [`Tom ${england}`, `Tom ${england}`],
      ['هـ ه\u200d', 'هـ ه\u200d'],
    ];
    for (const [name, shown] of names) assert.equal(await nameOf(name), shown, JSON.stringify(name));
  });

  it('is as clean in the thread: what was tapped, a place, an advertisement', async () => {
    const chat = await newChat();
    const list_reply = { id: 'r1', title: '\u202eLarge\n\u3164', description: '\u2067Two\u2069 litres\u202e' };
    const referral = { source_type: 'ad', headline: '\u3164', source_url: 'https://x.example/\u202egnp.exe' };
    const said = [
      by(chat, 'interactive', { type: 'list_reply', list_reply }),
      by(chat, 'interactive', { type: 'list_reply', list_reply: { id: 'r2', title: '\u3164', description: '\u3164' } }),
      by(chat, 'button', { payload: 'p1', text: '\u202eThanks\nAll' }),
      by(chat, 'button', { payload: 'p1', text: '\u3164' }),
      by(chat, 'location', { latitude: 1.5, longitude: 2.5, name: 'Souq\u202e\nA', address: '\u3164' }),
      by(chat, 'text', undefined, { text: { body: 'Hi' }, referral }),
    ];
    for (const one of said) await report([one]);
    const [, row, blank, button, payload, place, led] = await threadOf(chat);
    assert.deepEqual(row!.tapped, { id: 'r1', title: 'Large', description: 'Two litres' });
    assert.deepEqual(blank!.tapped, { id: 'r2', title: 'r2' });
    assert.deepEqual([button!.tapped, button!.body], [{ id: 'p1', title: 'Thanks All' }, 'Thanks All']);
    assert.deepEqual([payload!.tapped, payload!.body], [{ id: 'p1', title: 'p1' }, 'p1']);
    assert.deepEqual(place!.location, { latitude: 1.5, longitude: 2.5, name: 'Souq A' });
    assert.deepEqual(led!.referral, { source_url: 'https://x.example/gnp.exe' });
  });

  it('forges no answer of a form and no reaction, and reorders no order', async () => {
    const chat = await newChat();
    const given = { 'size\nprice': '1\nprice: 0', note: '\u202eone\ntwo', '\u3164': '\u3164' };
    const nfm_reply = { name: 'flow', body: 'Sent', response_json: JSON.stringify(given) };
    const order = { text: '\u202eFor Friday\n\u2067please\u2069', product_items: [] };
    await report([by(chat, 'interactive', { type: 'nfm_reply', nfm_reply })]);
    await report([by(chat, 'order', order)]);
    for (const emoji of ['\u202e👍\u3164', '❤️', '👩‍💻', '\u3164']) {
      await report([by(chat, 'reaction', { message_id: chat.wamid, emoji })]);
    }
    const [, form, ordered, ...reactions] = await threadOf(chat);
    assert.equal(form!.body, 'Sent\nsize price: 1 price: 0\nnote: one two\n?: ');
    assert.deepEqual(form!.answers, [
      { name: 'size price', value: '1\nprice: 0' },
      { name: 'note', value: 'one\ntwo' },
      { name: '?', value: '' },
    ]);
    assert.equal(ordered!.body, 'For Friday\nplease');
    assert.deepEqual(
      reactions.map(({ reaction }) => reaction.emoji),
      ['👍', '❤️', '👩‍💻', ''],
    );
  });

  it('is whole: a card with its company, its addresses and its pages', async () => {
    const chat = await newChat();
    const card = {
      name: { formatted_name: 'Ali' },
      org: { company: 'Souq LLC', department: '', title: 'Buyer' },
      phones: [{ phone: '+968 9123 4567' }],
      emails: [{ email: 'ali@souq.example' }],
      addresses: [{ street: 'Corniche 4', city: 'Muttrah', country: 'Oman', type: 'WORK' }],
      urls: [{ url: 'https://souq.example' }],
    };
    await report([by(chat, 'contacts', [card, { org: { company: 'Oud House' } }])]);
    assert.equal(
      (await messagesOf(chat))[1]!.body,
      'Ali (Souq LLC, Buyer): +968 9123 4567, ali@souq.example, Corniche 4, Muttrah, Oman, https://souq.example\nOud House',
    );
  });

  it('cannot reorder a card or name a file by nothing', async () => {
    const chat = await newChat();
    const card = { name: { formatted_name: '\u202eAli' }, phones: [{ phone: '+968 \u20669123\u2069 4567' }] };
    await report([by(chat, 'contacts', [card])]);
    await report([by(chat, 'document', { id: '1', mime_type: 'application/pdf', filename: '\u3164' })]);
    const [, shown, file] = await messagesOf(chat);
    assert.equal(shown!.body, 'Ali: +968 9123 4567');
    assert.ok(!('filename' in file!));
  });
});
