import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import babel from '@rolldown/plugin-babel';
import react, { reactCompilerPreset } from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { chunkGroups } from './group-chunks.ts';
import { readGuide } from './read-guide.ts';

/** Compresses the assets once, so that the server does not compress them for each browser. */
function compressAssets(): Plugin {
  return {
    name: 'compress-assets',
    apply: 'build',
    closeBundle() {
      const folder = new URL('dist/assets/', import.meta.url);
      for (const name of readdirSync(folder)) {
        if (!/\.(js|css|svg)$/.test(name)) continue;
        const content = readFileSync(new URL(name, folder));
        writeFileSync(new URL(`${name}.br`, folder), brotliCompressSync(content));
        writeFileSync(new URL(`${name}.gz`, folder), gzipSync(content, { level: 9 }));
      }
    },
  };
}

/**
 * Puts the order of the layers before all styles. The bundler drops that statement and puts the styles of shared chunks first,
 * so the layer `base` would win over the layer `parts`.
 */
function orderLayers(): Plugin {
  return {
    name: 'order-layers',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const [order] = readFileSync(new URL('src/styles/base.css', import.meta.url), 'utf8').split('\n');
      for (const file of Object.values(bundle)) {
        if (file.type === 'asset' && file.fileName.endsWith('.css')) file.source = `${order}${file.source}`;
      }
    },
  };
}

/** Names the build in its page: the names of its files have hashes of their contents. The service reads the name there too. */
function nameBuild(): Plugin {
  return {
    name: 'name-build',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const page = bundle['index.html'];
      const files = Object.keys(bundle).sort().join();
      const build = createHash('sha256').update(files).digest('hex').slice(0, 12);
      if (page?.type === 'asset') page.source = String(page.source).replace('%BUILD%', build);
    },
  };
}

/** Parses the words once, at the build. In the browser each use of a word would parse it again. */
function compileWords(): Plugin {
  return {
    name: 'compile-words',
    async load(id) {
      if (!/\/src\/words\/(ar|en)(\/\w+)?\.ts$/.test(id)) return null;
      const catalogues: Record<string, Record<string, string>> = await import(id);
      const sources = Object.entries(catalogues).map(([name, words]) => {
        const compiled = Object.entries(words).map(([word, text]) => [word, compileMessage(text)]);
        return `export const ${name} = JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(compiled)))});`;
      });
      return sources.join('\n');
    },
  };
}

/** Puts the names of emoji in the place of the files that they are drawn from. */
function listEmoji(): Plugin {
  return {
    name: 'list-emoji',
    async load(id) {
      if (!/\/emoji\/names-(ar|en)\.ts$/.test(id)) return null;
      const { names } = await import(id);
      return `export const names = JSON.parse(${JSON.stringify(JSON.stringify(names))});`;
    },
  };
}

/** Puts the parts of a page of the documentation in its place, so that the browser parses no Markdown. */
function readGuides(): Plugin {
  return {
    name: 'read-guides',
    enforce: 'pre',
    transform(markdown, id) {
      if (!/\/docs\/[\w.-]+\.md$/.test(id)) return null;
      return `export const guide = JSON.parse(${JSON.stringify(JSON.stringify(readGuide(markdown)))});`;
    },
  };
}

/** The component library has its own words in thirty languages. The console has two. */
function dropForeignWords(): Plugin {
  return {
    name: 'drop-foreign-words',
    enforce: 'pre',
    load(id) {
      const [, locale] = /\/react-(?:aria|stately)[^?]*\/intl\/.*\/?(\w\w-\w\w)\.m?js$/.exec(id) ?? [];
      return locale && locale !== 'ar-AE' && locale !== 'en-US' ? 'export default {};' : null;
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    compileWords(),
    listEmoji(),
    readGuides(),
    dropForeignWords(),
    react(),
    babel({ presets: [reactCompilerPreset()] }),
    orderLayers(),
    nameBuild(),
    compressAssets(),
  ],
  // One style sheet keeps the order of the layers.
  build: {
    target: 'es2023',
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: chunkGroups } } },
  },
});
