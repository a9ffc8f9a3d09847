import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { findOperatorToken, loadLocalSecrets } from './local-secrets.ts';

describe('loadLocalSecrets', () => {
  let dataDir: string;
  const load = (settings = {}) =>
    loadLocalSecrets({ dataDir, operatorToken: undefined, secretKey: undefined, secretKeyOld: undefined, ...settings });

  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'majlis-secrets-'));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  it('makes them at the first start and keeps them, for the owner alone', async () => {
    const first = await load();
    assert.deepEqual(await load(), first);
    assert.match(first.operator_token, /^[\w-]{43}$/);
    assert.equal(first.secret_key.length, 32);
    assert.deepEqual((await readdir(dataDir)).sort(), ['operator-token', 'secret-key']);
    for (const name of ['operator-token', 'secret-key']) {
      assert.equal((await stat(path.join(dataDir, name))).mode & 0o777, 0o600);
    }
    assert.equal(await readFile(path.join(dataDir, 'operator-token'), 'utf8'), first.operator_token);
  });

  it('makes one of each when several services start at once', async () => {
    const all = await Promise.all([load(), load(), load(), load()]);
    for (const each of all) assert.deepEqual(each, all[0]);
  });

  it('takes former keys from the setting or from the file beside the key', async () => {
    const former = await load();
    await rename(path.join(dataDir, 'secret-key'), path.join(dataDir, 'secret-key-old'));
    const next = await load();
    assert.notDeepEqual(next.secret_key, former.secret_key);
    assert.deepEqual(next.old_secret_keys, [former.secret_key]);
    const [one, two] = await Promise.all(['a phrase of ours', 'another'].map((secretKey) => load({ secretKey })));
    const both = await load({ secretKeyOld: 'a phrase of ours, another' });
    assert.deepEqual(both.old_secret_keys.slice(1), [one!.secret_key, two!.secret_key]);
    const phrase = await load({ secretKey: 'with, a comma' });
    const after = await load({ secretKeyOld: 'with, a comma' });
    assert.deepEqual(after.old_secret_keys[0], phrase.secret_key);
  });

  it('takes them from the settings, and then writes nothing', async () => {
    const secrets = await load({ operatorToken: 'a token', secretKey: 'a phrase of the operator' });
    assert.equal(secrets.operator_token, 'a token');
    assert.equal(secrets.secret_key.length, 32);
    assert.deepEqual(await readdir(dataDir), []);
  });

  it('has the same key when the kept one moves into the settings', async () => {
    const { secret_key } = await load();
    const secretKey = await readFile(path.join(dataDir, 'secret-key'), 'utf8');
    assert.deepEqual((await load({ secretKey })).secret_key, secret_key);
    assert.notDeepEqual((await load({ secretKey: `${secretKey}x` })).secret_key, secret_key);
  });

  it('does not replace a file that is there, even an empty one', async () => {
    await writeFile(path.join(dataDir, 'secret-key'), '');
    await assert.rejects(load(), { name: 'CannotRun', message: /secret-key is empty: restore it/ });
  });

  it('says in one line that a folder is in the place of one', async () => {
    await mkdir(path.join(dataDir, 'operator-token'));
    await assert.rejects(load(), { name: 'CannotRun', message: /operator-token is a folder: restore it/ });
  });

  it('lets commands find the token', async () => {
    const { operator_token } = await load();
    assert.equal(await findOperatorToken({ dataDir, operatorToken: undefined }), operator_token);
    assert.equal(await findOperatorToken({ dataDir, operatorToken: 'stated' }), 'stated');
  });
});
