import { areas, CannotCheck, checkConformance, printReport } from '@majlis/conform';

interface Options {
  url: string;
  key: string;
  to?: string;
  secondKey?: string;
  webhookPort?: string;
  webhookUrl?: string;
  reply?: string;
  limits?: boolean;
  templates?: boolean;
  only?: string[];
  json?: boolean;
}

/** `majlis conform --url … --key …`: exits with 0 if no clause is broken, 1 if one is, 2 if the suite could not run. */
export async function conform({
  json,
  secondKey,
  webhookPort,
  webhookUrl,
  reply,
  only,
  ...same
}: Options): Promise<void> {
  const unknown = only?.find((name) => !areas.some((area) => area.name === name));
  if (unknown) return give(2, `there is no area ${unknown}: ${areas.map(({ name }) => name).join(', ')}`);
  const [webhook_port, reply_seconds] = [webhookPort, reply].map((text) =>
    text === undefined ? undefined : Number(text),
  );
  if ([webhook_port, reply_seconds].some(Number.isNaN)) return give(2, '--webhook-port and --reply are numbers');
  try {
    const report = await checkConformance({
      ...same,
      ...(secondKey !== undefined && { second_key: secondKey }),
      ...(webhook_port !== undefined && { webhook_port }),
      ...(webhookUrl !== undefined && { webhook_url: webhookUrl }),
      ...(reply_seconds !== undefined && { reply_seconds }),
      ...(only && { only }),
    });
    process.stdout.write(json ? `${JSON.stringify(report, undefined, 2)}\n` : printReport(report));
    process.exitCode = report.clauses.some(({ verdict }) => verdict === 'broken') ? 1 : 0;
  } catch (error) {
    if (!(error instanceof CannotCheck)) throw error;
    give(2, error.message);
  }
}

function give(code: number, message: string): void {
  process.stderr.write(`majlis: ${message}\n`);
  process.exitCode = code;
}
