import pino, { type Logger } from 'pino';
import type { Config } from './config.ts';
import { describeError } from './describe-error.ts';

/** JSON lines on stdout, without secrets (hazard H102). */
export function createLog(level: Config['logLevel'], destination?: pino.DestinationStream): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describeError, error: describeError },
    redact: { paths: secretPaths, censor: '[redacted]' },
  };
  return destination ? pino(options, destination) : pino(options);
}

// Callers choose what they log. These paths are a safety net for secrets at the top level and one level below.
const secretNames = [
  'authorization',
  'password',
  'secret',
  'token',
  'access_token',
  'app_secret',
  'verify_token',
  'operator_token',
  'secret_key',
  'api_key',
  'cookie',
];
const secretPaths = [
  ...secretNames.flatMap((name) => [name, `*.${name}`]),
  'req.headers',
  'res.headers',
  'request.headers',
];
