import { lexer, type Token, type Tokens } from 'marked';
import type { Block, Guide, Span } from './src/guide/guide.ts';

/** The parts of a page of `docs/` in Markdown that the console draws. It has headings, paragraphs, lists and tables of keys. */
export function readGuide(markdown: string): Guide {
  const [title, ...blocks] = lexer(markdown).flatMap((token) => blocksOf(token as Tokens.Generic));
  if (title?.type !== 'heading') throw new Error('a guide begins with its title');
  return { title: title.text, blocks };
}

function blocksOf(token: Tokens.Generic): Block[] {
  switch (token.type) {
    case 'space':
    case 'html':
      return [];
    case 'heading':
      return [{ type: 'heading', text: token.text }];
    case 'paragraph':
      return [{ type: 'text', spans: spansOf(token.tokens) }];
    case 'list':
      return [{ type: 'list', items: (token as Tokens.List).items.map((item) => spansOf(item.tokens)) }];
    case 'table':
      return [{ type: 'keys', rows: (token as Tokens.Table).rows.map(rowOf) }];
    default:
      throw new Error(`the guide has no place for ${token.type}: ${token.raw}`);
  }
}

function rowOf([keys, label]: Tokens.TableCell[]) {
  return { keys: spansOf(keys!.tokens).flatMap((span) => (span.type === 'keys' ? span.keys : [])), label: label!.text };
}

function spansOf(tokens: Token[] = []): Span[] {
  const spans: Span[] = [];
  for (const token of tokens) {
    const { type, text, tokens: inner } = token as Tokens.Generic;
    if (type === 'codespan') addKey(spans, text);
    else if (type === 'em') spans.push({ type: 'word', text });
    else if (type === 'text' && inner) spans.push(...spansOf(inner));
    else if (type === 'text') spans.push({ type: 'text', text });
    else throw new Error(`the guide has no place for ${type}: ${token.raw}`);
  }
  return spans;
}

/** Keys with a space alone between them belong together. */
function addKey(spans: Span[], key: string): void {
  const [before, between] = spans.slice(-2);
  if (before?.type === 'keys' && between?.type === 'text' && between.text === ' ') {
    spans.pop();
    before.keys.push(key);
  } else spans.push({ type: 'keys', keys: [key] });
}
