/** What a customer says to the business: a text, a reaction to its message, or their place. */
export type Line = { text: string } | { react: string } | { place: true };

type Language = 'en' | 'ar';

type Topic = {
  /** The business' text is about this topic. */
  about: RegExp;
  en: Line[];
  ar: Line[];
};

const say = (...texts: string[]): Line[] => texts.map((text) => ({ text }));

// In this order: a message that asks for the order number may also speak of delivery.
const topics: Topic[] = [
  {
    about: /\border (number|no\b|id\b)|رقم (ال)?طلب/i,
    en: say('It is {order}.', 'I sent it above: {order}'),
    ar: say('رقم الطلب {order}', 'هو {order}'),
  },
  {
    about: /(your|send|share).{0,20}(location|address)|where are you|موقعك|عنوانك|اللوكيشن|الموقع/i,
    en: [{ place: true }],
    ar: [{ place: true }],
  },
  {
    about: /photo|picture|صورة|تصور/i,
    en: say('I am at work now. I will send a picture when I am home.', 'Sure, I will take another one tonight.'),
    ar: say('أنا في الدوام الحين، أرسل لك صورة لما أرجع البيت.', 'إن شاء الله أصوّرها الليلة وأرسلها.'),
  },
  {
    about: /what time|which day|when (would|do|should|is)|suits? you|convenient|متى يناسب|أي وقت|الوقت المناسب|أي يوم/i,
    en: say('Tomorrow after 5 pm would be perfect.', 'Any time before noon on Saturday.'),
    ar: say('بكرة بعد العصر يناسبني.', 'السبت قبل الظهر لو ممكن.'),
  },
  {
    about: /colou?r|which (one|size|model)|prefer|لون|المقاس|تفضل|أي واحد/i,
    en: say('The teal one, please.', 'The larger one. Is it in stock?'),
    ar: say('اللون الفيروزي لو سمحت.', 'الكبير، متوفر عندكم؟'),
  },
  {
    about: /\bpay|\bcard\b|transfer|\blink\b|invoice|الدفع|تحويل|بطاقة|رابط|فاتورة/i,
    en: say('Done, I have just paid. Could you check?', 'I will pay by card on delivery.'),
    ar: say('تم الدفع، تأكد لو سمحت.', 'بدفع بالبطاقة عند الاستلام.'),
  },
  {
    about: /\bomr\b|rial|price|cost|discount|\d%|ريال|السعر|خصم|سعر/i,
    en: say('That is fine with me. How can I pay?', 'Does the price include delivery?'),
    ar: say('السعر مناسب. كيف أقدر أدفع؟', 'هل السعر شامل التوصيل؟'),
  },
  {
    about: /deliver|arriv|on its way|\bship|courier|driver|توصيل|يوصل|سيصل|الطريق|المندوب|الشحن/i,
    en: say('Great. Please ask the driver to call me first.', 'Perfect, somebody will be at home.'),
    ar: say('ممتاز، خلّ المندوب يتصل قبل ما يوصل.', 'زين، بيكون فيه أحد في البيت.'),
  },
  {
    about: /sorry|apolog|نعتذر|عذر|آسف|متأسف/i,
    en: say('No problem, it happens. Thank you for looking after it.', 'All right. Please keep me posted.'),
    ar: say('ولا يهمك، تحصل. شكراً على اهتمامكم.', 'تمام، بس خلوني على اطلاع.'),
  },
  {
    about: /(one|a) (moment|minute)|let me|i will check|get back|لحظ|دقيقة|أتأكد|نتأكد|بشوف|نتحقق/i,
    en: [...say('Sure, take your time.'), { react: '👍' }],
    ar: [...say('خذ راحتك.'), { react: '👍' }],
  },
  {
    about: /thank|welcome|glad|happy to|شكر|العفو|خدمتك|يسعدنا|حياك/i,
    en: [...say('Thanks a lot, you have been very helpful!'), { react: '🙏' }],
    ar: [...say('مشكورين، ما قصرتم 🌷'), { react: '🙏' }],
  },
  {
    about: /^\W*(hi|hello|hey|good (morning|afternoon|evening))|^\W*(السلام|وعليكم|مرحبا|أهلا|هلا|صباح|مساء)/i,
    en: say('Hello! Is there any news about my order {order}?', 'Hi again. Did you see my message?'),
    ar: say('هلا بك، فيه جديد عن طلبي {order}؟', 'وعليكم السلام، شفتوا رسالتي؟'),
  },
  {
    about: /[?؟]\s*$/,
    en: say('Yes, please.', 'Yes, that works for me.', 'I think so, yes.'),
    ar: say('نعم، لو سمحت.', 'أيوه، يناسبني.', 'إن شاء الله.'),
  },
];

const otherwise: Record<Language, Line[]> = {
  en: say('Okay, thank you!', 'Got it. Are you open on Friday?', 'Understood. Thanks for the quick answer.'),
  ar: say('تمام، شكراً لك.', 'زين. تفتحون يوم الجمعة؟', 'وصلت الفكرة، شكراً على سرعة الرد.'),
};

/** The lines that fit a text of the business, with a name for the topic. */
export function findLines(text: string, language: Language): { topic: number; lines: Line[] } {
  const topic = topics.findIndex(({ about }) => about.test(text));
  return { topic, lines: topics[topic]?.[language] ?? otherwise[language] };
}

/** Arabic, where the text has an Arabic letter. */
export function languageOf(text: string): Language {
  return /\p{Script=Arabic}/u.test(text) ? 'ar' : 'en';
}
