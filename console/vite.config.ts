import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import babel from '@rolldown/plugin-babel';
import react, { reactCompilerPreset } from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

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
        writeFileSync(new URL(`${name}.gz`, folder), gzipSync(content));
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

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), babel({ presets: [reactCompilerPreset()] }), orderLayers(), compressAssets()],
  // One style sheet keeps the order of the layers.
  build: { target: 'es2023', cssCodeSplit: false, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
});
