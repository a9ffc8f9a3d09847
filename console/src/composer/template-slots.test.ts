import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileFormatOf, fillSlots, slotsOf, suggestValue } from './template-slots.ts';

const contact = { name: 'Muna', phone: '+96891234567', email: 'muna@example.com' };

describe('the values of a template', () => {
  const components = [
    { type: 'header' as const, format: 'text' as const, text: 'Order {{1}}' },
    { type: 'body' as const, text: 'Hello {{1}}, order {{2}} again {{1}}.', examples: ['Muna', 'A-1'] },
    {
      type: 'buttons' as const,
      buttons: [
        { type: 'quick_reply', text: 'Thanks' },
        { type: 'url', text: 'Track', url: 'https://acme.example/{{1}}' },
        { type: 'copy_code', text: 'Copy' },
      ],
    },
  ];

  it('are in the order of the params: header, body, buttons; a repeated one is one', () => {
    const slots = slotsOf({ components }).map(({ part, number, button, example }) => [part, number, button, example]);
    assert.deepEqual(slots, [
      ['header', 1, undefined, undefined],
      ['body', 1, undefined, 'Muna'],
      ['body', 2, undefined, 'A-1'],
      ['button', 2, 'Track', undefined],
      ['button', 3, 'Copy', undefined],
    ]);
  });

  it('are named by words that begin with a digit too', () => {
    const [slot] = slotsOf({ components: [{ type: 'body', text: 'Dear {{1st_name}}, welcome.' }] });
    assert.equal(slot?.name, '1st_name');
  });

  it('are named by digits where the platform would not number them so', () => {
    const namesIn = (...texts: string[]) => {
      const [header, body] = texts.length > 1 ? texts : ['', texts[0]];
      const components = [
        { type: 'header' as const, format: 'text' as const, text: header! },
        { type: 'body' as const, text: body! },
      ];
      const slots = slotsOf({ components });
      const values = slots.map(({ name }) => `<${name}>`);
      return [slots.map(({ name }) => name), fillSlots(body!, 'body', { slots, values })];
    };
    assert.deepEqual(namesIn('Dear {{2}}, welcome.'), [['2'], 'Dear <2>, welcome.']);
    assert.deepEqual(namesIn('Order {{2}}', 'Dear {{1st}}, order {{2}} leaves on {{30}}.'), [
      ['2', '1st', '30'],
      'Dear <1st>, order <2> leaves on <30>.',
    ]);
    assert.deepEqual(namesIn('For {{name}}', 'Order {{2}} of {{1}}'), [['name', '2', '1'], 'Order <2> of <1>']);
  });

  it('are one for a one-time code, which stands in the body and in the button', () => {
    const url = 'https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}';
    const code = [
      { type: 'body' as const, text: '{{1}} is your code.' },
      { type: 'buttons' as const, buttons: [{ type: 'url', text: 'Copy', url }] },
    ];
    const slots = slotsOf({ components: code, category: 'authentication' });
    assert.deepEqual(
      slots.map(({ part, number }) => [part, number]),
      [['body', 1]],
    );
  });

  it('has no text in a header that takes a file', () => {
    const withFile = [{ type: 'header' as const, format: 'image' as const, text: '{{1}}' }];
    assert.deepEqual([slotsOf({ components: withFile }), fileFormatOf({ components: withFile })], [[], 'image']);
  });

  it('are filled in one pass, and a missing one shows its place', () => {
    const text = '{{1}} {{2}} {{3}}';
    const slots = slotsOf({ components: [{ type: 'body', text }] });
    assert.equal(fillSlots(text, 'body', { slots, values: ['{{2}}', 'b'] }), '{{2}} b {{3}}');
  });

  it('have names where the platform names them, each once', () => {
    const named = [
      { type: 'header' as const, format: 'text' as const, text: 'For {{customer_name}}' },
      { type: 'body' as const, text: 'Order {{ order_id }} of {{customer_name}}, {{order_id}}' },
      { type: 'buttons' as const, buttons: [{ type: 'url', text: 'See', url: 'https://a.example/{{order_id}}' }] },
    ];
    const slots = slotsOf({ components: named });
    assert.deepEqual(
      slots.map(({ part, name }) => [part, name]),
      [
        ['header', 'customer_name'],
        ['body', 'order_id'],
      ],
    );
    const filling = { slots, values: ['Muna', 'A-1'] };
    assert.equal(fillSlots(named[1]!.text!, 'body', filling), 'Order A-1 of Muna, A-1');
  });

  for (const [text, value] of [
    ['Hello {{1}}!', contact.name],
    ['مرحباً {{1}}', contact.name],
    ['عزيزي {{1}}،', contact.name],
    ['We call your phone {{1}} soon', contact.phone],
    ['نتصل على رقم هاتفك {{1}}', contact.phone],
    ['Your order number {{1}}', ''],
    ['رقم طلبك {{1}}', ''],
    ['The total is {{1}}', ''],
  ] as const) {
    it(`of ${text} begins as ${value || 'nothing'}`, () => {
      const [slot] = slotsOf({ components: [{ type: 'body', text }] });
      assert.equal(suggestValue(slot!, contact), value);
    });
  }
});
