import { readFileSync } from 'node:fs';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

/** The version of the service. */
export const { version } = JSON.parse(read('../../package.json')) as { version: string };

/** The same with the build of the console that this process serves, where there is one: `0.1.0+5f2c91aa0b1c`. */
export const consoleVersion = `${version}${readBuild()}`;

function readBuild(): string {
  try {
    const [, build] =
      /<meta name="majlis-build" content="([0-9a-f]+)"/.exec(read('../../../console/dist/index.html')) ?? [];
    return build === undefined ? '' : `+${build}`;
  } catch {
    return '';
  }
}
