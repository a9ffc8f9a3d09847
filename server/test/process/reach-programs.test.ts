import assert from 'node:assert/strict';
import { chmod, mkdir, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { it } from 'node:test';
import { makeFolder } from '@majlis/testing/start-process';
import { type Account, chooseAccount } from '../../src/database/embedded/choose-account.ts';
import { findPrograms, programFile } from '../../src/database/embedded/find-programs.ts';
import { reachPrograms } from '../../src/database/embedded/reach-programs.ts';
import { runProgram } from '../../src/database/embedded/run-program.ts';

it('uses the programs where they are when nobody else has to run them', async () => {
  const programs = findPrograms();
  assert.equal(await reachPrograms(programs, undefined), programs);
});

// Only root can start programs as someone else.
if (process.getuid?.() === 0) {
  it('copies the programs out of a folder that the account may not enter, once', async () => {
    const account = (await chooseAccount('/nowhere')) as Account;
    const closed = await makeFolder();
    await symlink(path.dirname(findPrograms().folder), path.join(closed, 'package'));
    const programs = { ...findPrograms(), folder: path.join(closed, 'package', 'native') };
    const open = await makeFolder();
    await chmod(open, 0o755);
    const foreign = path.join(open, 'foreign');
    await mkdir(foreign, { mode: 0o777 });
    await chmod(foreign, 0o777);
    const places = [path.join(closed, 'too'), foreign, path.join(open, 'place')];

    const copy = await reachPrograms(programs, account, places);
    assert.equal(copy.folder, path.join(open, 'place', `postgresql-${programs.version}`));
    const { output } = await runProgram(programFile(copy, 'postgres'), ['--version'], { account, cwd: '/' });
    assert.match(output, /^postgres \(PostgreSQL\) 18/);
    const { ino } = await stat(copy.folder);
    assert.deepEqual(await reachPrograms(programs, account, places), copy);
    assert.equal((await stat(copy.folder)).ino, ino);
  });

  it('says in one line that the account can reach no place', async () => {
    const account = (await chooseAccount('/nowhere')) as Account;
    const programs = { ...findPrograms(), folder: '/nowhere' };
    await assert.rejects(reachPrograms(programs, account, [await makeFolder()]), {
      name: 'CannotRun',
      message: /^PostgreSQL does not run as root, and user \d+ can neither run it from \/nowhere nor from a copy in /,
    });
  });
}
