import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Config, readConfig, urlOf } from './config.ts';

const serving = { CHATAPP_API_URL: 'https://graph.example/v24.0' };
const s3 = {
  ...{ S3_ENDPOINT: 'https://s3.example/', S3_REGION: 'eu-1', S3_BUCKET: 'media' },
  ...{ S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'hidden' },
};

describe('readConfig', () => {
  it('has the defaults of production for serve', () => {
    const config = readConfig(serving, 'serve');
    const { host, port, publicUrl, roles, testClock, webhookAllowPrivate, rateLimits, comingSoon, logLevel } = config;
    assert.deepEqual(
      { host, port, publicUrl, roles, testClock, webhookAllowPrivate, rateLimits, comingSoon, logLevel },
      {
        host: '127.0.0.1',
        port: 8080,
        publicUrl: 'http://127.0.0.1:8080',
        roles: ['api', 'worker'],
        testClock: false,
        webhookAllowPrivate: false,
        rateLimits: true,
        comingSoon: true,
        logLevel: 'info',
      },
    );
    assert.equal(config.databaseUrl, undefined);
    assert.equal(config.unknownOutcomeSeconds, 900);
    assert.match(config.dataDir, /^\/.*\/data$/);
  });

  it('needs nothing for dev, whose platform is the simulator and whose clock moves', () => {
    const { chatappApiUrl, testClock, webhookAllowPrivate, logLevel } = readConfig({ SIMULATOR_PORT: '9999' }, 'dev');
    assert.deepEqual(
      { chatappApiUrl, testClock, webhookAllowPrivate, logLevel },
      { chatappApiUrl: 'http://127.0.0.1:9999/v24.0', testClock: true, webhookAllowPrivate: true, logLevel: 'warn' },
    );
  });

  it('takes an empty variable for an unset one', () => {
    const empty = { DATABASE_URL: '', PORT: ' ', TEST_CLOCK: '' };
    assert.deepEqual(readConfig({ ...serving, ...empty }, 'serve'), readConfig(serving, 'serve'));
  });

  it('reads what is set', () => {
    const cases: [Record<string, string>, Partial<Config>][] = [
      [{ TEST_CLOCK: '1' }, { testClock: true }],
      [{ RATE_LIMITS: 'off' }, { rateLimits: false }],
      [{ ROLES: 'worker' }, { roles: ['worker'] }],
      [{ ROLES: ' worker , api ' }, { roles: ['api', 'worker'] }],
      [{ PUBLIC_URL: 'https://chat.example/' }, { publicUrl: 'https://chat.example' }],
      [{ CHATAPP_API_URL: 'http://platform/v24.0/' }, { chatappApiUrl: 'http://platform/v24.0' }],
      [{ DATABASE_URL: 'postgresql:///majlis?host=/run/pg' }, { databaseUrl: 'postgresql:///majlis?host=/run/pg' }],
      [{ AI_QUIET_SECONDS: '0' }, { ai: undefined, aiQuietSeconds: 0, aiTimeoutSeconds: 30 }],
      [
        { AI_BASE_URL: 'http://127.0.0.1:11434/v1/', AI_MODEL: 'qwen3' },
        { ai: { baseUrl: 'http://127.0.0.1:11434/v1', apiKey: undefined, model: 'qwen3', embeddingModel: undefined } },
      ],
      [{ PAGE_SIZE_MAX: '20' }, { pageSizeMax: 20, pageSizeDefault: 20 }],
      [{ SMTP_URL: 'smtp://u:p@mail:25', SMTP_FROM: 'a@b.example' }, { smtpFrom: 'a@b.example' }],
      [{ CHATAPP_MEDIA_HOSTS: 'A.example, b.example' }, { chatappMediaHosts: ['a.example', 'b.example'] }],
      [{ CHATAPP_MEDIA_HOSTS: '127.0.0.1,[::1]' }, { chatappMediaHosts: ['127.0.0.1', '[::1]'] }],
      [{ OPERATOR_TOKEN: 'open sesame, said Ali Baba' }, { operatorToken: 'open sesame, said Ali Baba' }],
      [{ METRICS_PORT: '9100' }, { metricsPort: 9100, metricsToken: undefined }],
      [
        { TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,fd00::/8' },
        { trustedProxies: ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'] },
      ],
      [{ SMTP_URL: 'smtp://mail', SMTP_FROM: 'Majlis <a@localhost>' }, { smtpFrom: 'Majlis <a@localhost>' }],
      [
        { ...s3, S3_PREFIX: '/majlis/' },
        {
          s3: {
            ...{ endpoint: 'https://s3.example', region: 'eu-1', bucket: 'media', prefix: 'majlis' },
            ...{ accessKeyId: 'id', secretAccessKey: 'hidden' },
          },
        },
      ],
    ];
    for (const [env, expected] of cases) {
      const config = readConfig({ ...serving, ...env }, 'serve');
      for (const [name, value] of Object.entries(expected)) assert.deepEqual(config[name as keyof Config], value, name);
    }
  });

  it('sends commands to HOST and PORT where they are stated, and to PUBLIC_URL otherwise', () => {
    const PUBLIC_URL = 'https://chat.example';
    assert.equal(readConfig({}, 'clock').serviceUrl, 'http://127.0.0.1:8080');
    assert.equal(readConfig({ PUBLIC_URL }, 'clock').serviceUrl, PUBLIC_URL);
    assert.equal(readConfig({ PUBLIC_URL, PORT: '81', HOST: '0.0.0.0' }, 'clock').serviceUrl, 'http://127.0.0.1:81');
  });

  it('refuses to serve the simulator where the service is served', () => {
    const env = { PORT: '8081', SIMULATOR_PORT: '8081' };
    const message = 'SIMULATOR_PORT is 8081, but must be another one than PORT';
    assert.throws(() => readConfig(env, 'dev'), { name: 'CannotRun', message });
    assert.equal(readConfig({ ...env, ...serving }, 'serve').port, 8081);
    assert.equal(readConfig({ PORT: '0', SIMULATOR_PORT: '0' }, 'dev').port, 0);
  });

  it('names the setting that does not parse or is missing, in one line', () => {
    const cases: [Record<string, string>, RegExp][] = [
      [{ CHATAPP_API_URL: '' }, /^CHATAPP_API_URL is not set/],
      [{ CHATAPP_API_URL: 'graph.example' }, /^CHATAPP_API_URL is not a URL that begins with http:\/\/ or https:\/\/$/],
      [{ PORT: '65536' }, /^PORT is "65536", but must be a whole number from 0 to 65535$/],
      [{ PORT: '80.5' }, /^PORT/],
      [{ SIMULATOR_PORT: '-1' }, /^SIMULATOR_PORT/],
      [{ PUBLIC_URL: 'ftp://chat.example' }, /^PUBLIC_URL/],
      [{ DATABASE_URL: 'mysql://user:hidden@db/majlis' }, /^DATABASE_URL is not a URL that begins with postgres:/],
      [{ REDIS_URL: 'localhost:6379' }, /^REDIS_URL/],
      [{ ROLES: 'api,cook' }, /^ROLES is "api,cook", but must be a list of api, worker$/],
      [{ ROLES: ',' }, /^ROLES/],
      [{ TEST_CLOCK: 'maybe' }, /^TEST_CLOCK is "maybe", but must be on \(1\) or off \(0\)$/],
      [{ RATE_LIMITS: '2' }, /^RATE_LIMITS/],
      [{ UNKNOWN_OUTCOME_SECONDS: '15m' }, /^UNKNOWN_OUTCOME_SECONDS/],
      [{ COMING_SOON: 'x' }, /^COMING_SOON/],
      [{ WEBHOOK_ALLOW_PRIVATE: 'x' }, /^WEBHOOK_ALLOW_PRIVATE/],
      [{ ENFORCE_SCOPES: 'x' }, /^ENFORCE_SCOPES/],
      [{ SECRET_KEY: 'x'.repeat(23) }, /^SECRET_KEY must have at least 24 characters$/],
      [{ METRICS_TOKEN: 'x'.repeat(23) }, /^METRICS_TOKEN must have at least 24 characters$/],
      [{ METRICS_PORT: '8080' }, /^METRICS_PORT is 8080, but must be another one than PORT$/],
      [
        { TRUSTED_PROXIES: '10.0.0.0/33' },
        /^TRUSTED_PROXIES is "10.0.0.0\/33", but must be a list of addresses and networks/,
      ],
      [{ SMTP_URL: 'http://mail' }, /^SMTP_URL/],
      [{ SMTP_URL: 'smtp://mail' }, /^SMTP_FROM is not set/],
      [{ SMTP_URL: 'smtp://', SMTP_FROM: 'a@b.example' }, /^SMTP_URL names no host$/],
      [{ SMTP_URL: 'smtp://mail', SMTP_FROM: 'notanaddress' }, /^SMTP_FROM is "notanaddress", but must be an e-mail/],
      [{ SMTP_URL: 'smtp://mail', SMTP_FROM: 'Majlis <majlis>' }, /^SMTP_FROM/],
      [{ SMTP_FROM: 'a@b.example' }, /^SMTP_URL is not set/],
      [{ REDIS_URL: 'redis://' }, /^REDIS_URL names no host$/],
      [{ PUBLIC_URL: 'https://chat.example/?a=b#c' }, /^PUBLIC_URL has a \? or #, but paths are put behind it$/],
      [{ CHATAPP_API_URL: 'https://graph.example/v24.0?a=b' }, /^CHATAPP_API_URL has a \? or #/],
      [
        { CHATAPP_MEDIA_HOSTS: 'http://a.example' },
        /^CHATAPP_MEDIA_HOSTS is "http:.*", but must be a list of host names$/,
      ],
      [{ CHATAPP_MEDIA_HOSTS: 'a b' }, /^CHATAPP_MEDIA_HOSTS/],
      [{ CHATAPP_MEDIA_HOSTS: ',' }, /^CHATAPP_MEDIA_HOSTS/],
      [{ OPERATOR_TOKEN: 'x'.repeat(23) }, /^OPERATOR_TOKEN must have at least 24 characters$/],
      [{ OPERATOR_TOKEN: 'مفتاح المشغل'.repeat(2) }, /^OPERATOR_TOKEN must be of printable ASCII characters/],
      [{ AI_API_KEY: 'hidden' }, /^AI_BASE_URL is not set/],
      [{ S3_BUCKET: 'media' }, /^S3_ENDPOINT is not set: [^\n]*$/],
      [{ S3_PREFIX: 'media' }, /^S3_ENDPOINT is not set/],
      [{ ...s3, S3_SECRET_ACCESS_KEY: '' }, /^S3_SECRET_ACCESS_KEY is not set/],
      [{ ...s3, S3_ENDPOINT: 's3.example' }, /^S3_ENDPOINT is not a URL/],
      [{ UPLOAD_TIMEOUT_SECONDS: '0' }, /^UPLOAD_TIMEOUT_SECONDS/],
      [{ UNUSED_UPLOAD_DAYS: '0' }, /^UNUSED_UPLOAD_DAYS/],
      [{ MEDIA_QUOTA_MB: '0' }, /^MEDIA_QUOTA_MB/],
      [{ DISK_RESERVE_MB: '-1' }, /^DISK_RESERVE_MB/],
      [{ PAGE_SIZE_DEFAULT: '200' }, /^PAGE_SIZE_DEFAULT/],
      [{ BODY_LIMIT_BYTES: '1MB' }, /^BODY_LIMIT_BYTES/],
      [{ DATABASE_POOL_SIZE: '0' }, /^DATABASE_POOL_SIZE/],
      [{ LEASE_SECONDS: '14' }, /^LEASE_SECONDS is 14, but must be at least PLATFORM_TIMEOUT_SECONDS \(10\) plus 5$/],
      [{ AI_MODEL: 'qwen3' }, /^AI_BASE_URL is not set/],
      [{ AI_BASE_URL: 'http://127.0.0.1:11434/v1' }, /^AI_MODEL is not set/],
      [{ AI_BASE_URL: 'ollama', AI_MODEL: 'qwen3' }, /^AI_BASE_URL is not a URL/],
      [{ AI_TIMEOUT_SECONDS: '0' }, /^AI_TIMEOUT_SECONDS/],
      [{ OIDC_NAME: 'Acme' }, /^OIDC_ISSUER is not set: .*which OIDC_NAME needs/],
      [{ OIDC_ISSUER: 'https://id.acme.example' }, /^OIDC_CLIENT_ID is not set/],
      [
        { OIDC_ISSUER: 'https://id.acme.example', OIDC_CLIENT_ID: 'x', OIDC_GROUP_ROLES: 'leads=boss@Acme' },
        /^OIDC_GROUP_ROLES has "leads=boss@Acme", but must be/,
      ],
      [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL is "loud", but must be one of fatal, error, /],
    ];
    for (const [env, message] of cases) {
      assert.throws(() => readConfig({ ...serving, ...env }, 'serve'), { name: 'CannotRun', message }, message.source);
    }
  });

  it('repeats no password and no secret in what it says', () => {
    const wrong = {
      ...{ DATABASE_URL: 'my://u:canary@db', REDIS_URL: 'canary', SECRET_KEY: 'canary', SMTP_URL: 'canary' },
      OPERATOR_TOKEN: 'canary',
    };
    for (const [name, value] of Object.entries(wrong)) {
      assert.throws(
        () => readConfig({ ...serving, [name]: value }, 'serve'),
        (error: Error) => !/canary/.test(error.message),
      );
    }
  });
});

it('writes the address of a listener as a client needs it', () => {
  assert.equal(urlOf('0.0.0.0', 80), 'http://127.0.0.1:80');
  assert.equal(urlOf('::', 80), 'http://127.0.0.1:80');
  assert.equal(urlOf('::1', 80), 'http://[::1]:80');
  assert.equal(urlOf('localhost', 80), 'http://localhost:80');
});
