import { eventually } from '@majlis/testing/eventually';
import { createFaultEnvironment } from '@majlis/testing/faults/fault-environment';
import { startModelServer } from '@majlis/testing/model-server';
import { operatorToken } from '@majlis/testing/operator';
import { acceptSend, type SendCall, startScriptedPlatform } from '@majlis/testing/scripted-platform';
import { searchDatabase } from '@majlis/testing/search-database';
import { startWebhookReceiver } from '@majlis/testing/webhook-receiver';
import type { ProofRun } from '../section.ts';
import { type Canaries, canary, filesIn, findIn, spellings } from './canaries.ts';
import { controlText, exerciseService } from './exercise-service.ts';
import { createRecordingClient } from './recording-client.ts';

/**
 * Secrets that can be told from everything else, in a service that logs at `debug` and meets every kind of failure: a
 * platform and a model that repeat what they were given, mail, storage and database that fail. None of them may be found
 * in any answer, log, metric, record, event, file or row.
 */
export async function proveSecrets({ seed, log }: ProofRun): Promise<string[]> {
  const settings = { smtp: canary('Smtp'), ai: canary('Ai'), redis: canary('Redis'), s3: canary('S3') };
  const origin = { app_secret: canary('App'), access_token: canary('Token'), verify_token: canary('Verify') };
  const platform = await startScriptedPlatform();
  platform.script(repeat);
  const models = await startModelServer();
  models.answer(({ authorization }, response) => {
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: `Incorrect API key provided: ${authorization}` } }));
  });
  const receiver = await startWebhookReceiver();
  const environment = await createFaultEnvironment({ seed, platform: async () => platform.api_url });
  const majlis = await environment.majlis({
    LOG_LEVEL: 'debug',
    ...{ SMTP_URL: `smtp://majlis:${settings.smtp}@127.0.0.1:1`, SMTP_FROM: 'majlis@acme.example' },
    ...{ AI_BASE_URL: models.url, AI_API_KEY: settings.ai, AI_MODEL: 'model' },
    ...{ REDIS_URL: `redis://:${settings.redis}@127.0.0.1:1`, WEBHOOK_ALLOW_PRIVATE: '1' },
    ...{ S3_ENDPOINT: 'http://127.0.0.1:1', S3_REGION: 'us-east-1', S3_BUCKET: 'files' },
    ...{ S3_ACCESS_KEY_ID: 'access', S3_SECRET_ACCESS_KEY: settings.s3 },
  });
  await majlis.start();
  const client = createRecordingClient(majlis);
  const canaries: Canaries = {
    ...settings,
    ...origin,
    operator: operatorToken,
    header: canary('Header'),
    secretKey: 'secret-key-of-the-fault-tests',
  };
  await exerciseService({ environment, majlis, client, origin, receiver_url: receiver.url, canaries });
  await eventually(
    () => receiver.arrivals.length,
    (count) => count > 0,
    60_000,
  );

  const places: [string, string][] = [
    ...client.answers.map((text): [string, string] => ['an answer', text]),
    ['the log', majlis.stdout() + majlis.stderr()],
    ...receiver.arrivals.map(({ body }): [string, string] => ['an event', body.toString()]),
    ...(await filesIn(environment.data_dir)),
  ];
  const faults = places.flatMap(([place, text]) => findIn(canaries, text).map((name) => `${name} stands in ${place}`));
  for (const [name, value] of Object.entries(canaries)) {
    const rows = await searchDatabase(environment, spellings(value));
    faults.push(...rows.map(({ table }) => `${name} stands in a row of ${table}`));
  }
  const found = (await searchDatabase(environment, [controlText])).length;
  const repeated = (await searchDatabase(environment, ['Malformed access token'])).length > 0;
  const used = [
    repeated,
    platform.calls.some((call) => call.access_token === origin.access_token),
    models.requests.length > 0,
  ];
  log(`${Object.keys(canaries).length} secrets, ${places.length} places, ${majlis.stdout().length} characters of log`);
  log(
    `control: found in ${found} rows; the platform's own words are kept, it and the model were given theirs: ${used}`,
  );
  const isBlind = found === 0 || used.includes(false) || receiver.arrivals.length === 0;
  return isBlind ? [...faults, 'the search proves nothing: the control was not found'] : faults;
}

/** Graph API answers a bad token by repeating it. */
function repeat(call: SendCall): void {
  const isBad = String(call.body.to).endsWith('13');
  if (!isBad) return void acceptSend(call);
  const error = { message: `Malformed access token ${call.access_token}`, type: 'OAuthException', code: 190 };
  call.response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
}
