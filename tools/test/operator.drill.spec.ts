import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FakeStack } from './fake-stack/fake-stack';

describe('operator’s launcher', () => {
  let stack: FakeStack;

  beforeEach(async () => {
    stack = await FakeStack.create();
  });

  afterEach(async () => {
    await stack.remove();
  });

  it('starts the database for as long as the tool runs, and passes on the tool’s stdout and exit code', () => {
    expect(stack.operate(['migrate'])).toMatchObject({
      status: 0,
      stderr: `There is no database in ${join(stack.root, '.data')}: making a new one.\n`,
    });
    const { stdout, stderr, status } = stack.operate(['create-user', 'ada lovelace'], { FAKE_STATUS: '3' });

    expect(JSON.parse(stdout)).toEqual({
      user: 'vitrine',
      args: ['create-user', 'ada lovelace'],
      dataFolder: join(stack.root, '.data'),
    });
    expect({ stderr, status }).toEqual({ stderr: '', status: 3 });
    expect(stack.leftOver()).toEqual([]);
    expect(existsSync(join(stack.root, '.data/running.json'))).toBe(false);
  });

  it('refuses a command that needs a site if the data folder has no database, and makes none', () => {
    const { stdout, stderr, status } = stack.operate(['create-user', 'ada'], {
      VITRINE_DATA_DIR: 'mistyped',
    });

    expect({ stdout, status }).toEqual({ stdout: '', status: 1 });
    expect(stderr).toContain(`There is no database in ${join(stack.root, 'mistyped')}. Start Vitrine once`);
    expect(existsSync(join(stack.root, 'mistyped'))).toBe(false);
  });

  it('starts no database for the usage of a command', () => {
    const { stdout, status } = stack.operate(['create-user', '--help']);

    expect(JSON.parse(stdout)).toEqual({ args: ['create-user', '--help'] });
    expect(status).toBe(0);
    expect(existsSync(join(stack.root, '.data'))).toBe(false);
  });

  it('works beside the running stack, and leaves it running', async () => {
    const running = stack.start();
    await stack.untilReady(running);
    const postmaster = stack.postmasterPid();

    const { stdout, status } = stack.operate(['create-user', 'ada']);

    expect(JSON.parse(stdout)).toMatchObject({ user: 'vitrine', dataFolder: join(stack.root, '.data') });
    expect(status).toBe(0);
    expect(stack.postmasterPid()).toBe(postmaster);
    expect((await fetch(stack.managementUrl('api-gateway'))).status).toBe(200);
  });

  it('uses the database of DATABASE_URL and starts none', () => {
    const url = process.env['VITRINE_TEST_POSTGRES_URL'] ?? '';

    const { stdout, status } = stack.operate(['create-user', 'ada'], { DATABASE_URL: url });

    expect(JSON.parse(stdout)).toMatchObject({ user: 'postgres' });
    expect(status).toBe(0);
    expect(existsSync(join(stack.root, '.data'))).toBe(false);
  });
});
