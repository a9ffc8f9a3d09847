import type { Simulator } from '@majlis/simulator';
import { demoMessage } from './demo-workspace.ts';
import type { Demo } from './open-demo.ts';

export interface Banner {
  url: string;
  /** Signs the owner of the demo workspace in. */
  sign_in_link: string;
  simulator: Pick<Simulator, 'url' | 'control_token'>;
  demo: Demo;
}

/** The text that `majlis dev` prints when it is ready. */
export function showBanner({ url, sign_in_link, simulator, demo }: Banner): string {
  const lines = [
    '',
    `  Majlis is ready at ${url}`,
    '',
    `  Console         ${sign_in_link}`,
    '                  (signs you in once; each start prints a new link)',
    `  API reference   ${url}/docs`,
    `  Customer phone  ${simulator.url}`,
    `  Control token   ${simulator.control_token}`,
    ...(demo.key ? [`  Demo API key    ${demo.key}`, '                  (shown at the first start only)'] : []),
    '',
    '  Send a message, and see it arrive on the phone:',
    '',
    demoCurl(url, demo),
    '',
    '',
  ];
  return lines.join('\n');
}

/** One line for a shell. */
function demoCurl(url: string, { key, key_file }: Demo): string {
  const bearer = key ?? `$(cat ${quote(key_file)})`;
  const headers = `-H "Authorization: Bearer ${bearer}" -H 'Content-Type: application/json'`;
  return `curl -X POST ${url}/v1/messages ${headers} -d ${quote(JSON.stringify(demoMessage))}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
