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

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), babel({ presets: [reactCompilerPreset()] }), compressAssets()],
  // One style sheet keeps the order of the layers.
  build: { target: 'es2023', cssCodeSplit: false, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
});
