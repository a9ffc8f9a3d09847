import { ApiPromise, type WithResponse } from './options.ts';

/** The body of a paged list. */
export interface PageBody<Item> {
  data: Item[];
  next_cursor?: string | undefined;
  has_more: boolean;
}

type ReadNext<Item> = (cursor: string) => PagePromise<Item>;

/** One page of a list. Iterating it goes through its entries and those of all later pages. */
export class Page<Item> implements AsyncIterable<Item> {
  readonly data: Item[];
  readonly has_more: boolean;
  /** The `cursor` of the next page. Absent on the last one. */
  readonly next_cursor: string | undefined;
  readonly #readNext: ReadNext<Item>;

  constructor(body: PageBody<Item>, readNext: ReadNext<Item>) {
    this.data = body.data;
    this.has_more = body.has_more;
    this.next_cursor = body.next_cursor;
    this.#readNext = readNext;
  }

  hasNextPage(): boolean {
    return this.has_more && this.next_cursor !== undefined;
  }

  /** Reads the next page. Throws where there is none. */
  getNextPage(): PagePromise<Item> {
    if (!this.hasNextPage()) throw new RangeError('There is no next page: ask hasNextPage() first.');
    return this.#readNext(this.next_cursor!);
  }

  /** This page and all later ones. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let page: Page<Item> = this;
    for (;;) {
      yield page;
      if (!page.hasNextPage()) return;
      page = await page.getNextPage();
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { data } of this.pages()) yield* data;
  }
}

/** A promise of the first page. Iterating it goes through the entries of all pages. */
export class PagePromise<Item> extends ApiPromise<Page<Item>> implements AsyncIterable<Item> {
  constructor(answer: Promise<WithResponse<PageBody<Item>>>, readNext: ReadNext<Item>) {
    super(answer.then(({ data, ...rest }) => ({ data: new Page(data, readNext), ...rest })));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    yield* await this;
  }

  /** All pages, one after the other. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    yield* (await this).pages();
  }
}
