import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LoadShedError } from '../../base/errors/domain-error';
import { isBreached } from './breached-passwords';
import { isCommon } from './common-passwords';
import { PasswordStrength } from './password-strength';

const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex').toUpperCase();

describe('PasswordStrength', () => {
  const strength = new PasswordStrength({ breachedPasswordsFile: '' });
  const accepts = async (password: string): Promise<boolean> =>
    (await strength.judge(password, ['ada_lovelace', 'countess@example.org'])).accepted;

  it.each([
    'password123',
    'qwertyuiop12',
    'iloveyou1234',
    'aaaaaaaaaaaa',
    'abcdefghijkl',
    'p@ssw0rdp@ssw0rd',
  ])('refuses the common password %s', async (password) => {
    await expect(strength.assertStrong(password, [])).rejects.toMatchObject({
      errors: { password: [expect.stringMatching(/^This password is too easy to guess\./)] },
    });
  });

  it.each(['q2w3e4r5t6y7', 'neversaymypassword', 'vEf6g55frZ', 'VEF6G55FRZ'])(
    'refuses %s, which is hard to guess but known from breaches',
    async (password) => {
      expect(await accepts(password)).toBe(true);
      await expect(strength.assertStrong(password, [])).rejects.toMatchObject({
        errors: { password: ['This password is known from a data breach. Choose another one.'] },
      });
    },
  );

  it('knows the long passwords among the million most frequent ones of breaches', async () => {
    const known = ['1234567890', 'qwertyuiop', 'Basketball', '1q2w3e4r5t6y', 'christopher', 'vjqgfhjkm123'];
    for (const password of known) expect([password, await isCommon(password)]).toEqual([password, true]);
    const unknown = Array.from({ length: 10_000 }, (_, n) => `not in any list ${n}`);
    for (const password of unknown) expect([password, await isCommon(password)]).toEqual([password, false]);
  });

  it.each(['ada_lovelace', 'AdaLovelace1', 'lovelace-ada', 'countess2026', 'vitrine-1843', 'ada.vitrine!'])(
    'refuses %s, which consists of words of the account and the site',
    async (password) => {
      expect(await accepts(password)).toBe(false);
    },
  );

  it.each([
    'correct horse battery',
    'a whole new password',
    'ld8 xqb2 7fzk',
    'été à la montagne',
    '🦊🌲🌧️🪨🍄🔭',
  ])('accepts %s', async (password) => {
    expect(await accepts(password)).toBe(true);
  });

  it('judges one password at a time, and refuses more than 64 that wait', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 100 }, () => strength.judge('correct horse battery', [])),
    );
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(100 - 64 - 1);
    for (const outcome of refused) expect(outcome).toMatchObject({ reason: expect.any(LoadShedError) });
    await expect(strength.judge('correct horse battery', [])).resolves.toMatchObject({ accepted: true });
  });

  it('needs less than a second of processor time for a hostile text', async () => {
    await strength.judge('warm up', []);
    const before = process.cpuUsage();
    for (const hostile of ['@4(<3!10$5+7%2', 'p@ssw0rd', 'aA1!'])
      await strength.judge(hostile.repeat(50).slice(0, 200), ['x'.repeat(254), '4@3'.repeat(80)]);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(3 * 1000);
  });
});

describe('a file of breached passwords', () => {
  let folder: string;
  let file: string;
  const known = Array.from({ length: 500 }, (_, n) => `known password ${n}`);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vitrine-breached-'));
    file = join(folder, 'hashes.txt');
    await writeFile(
      file,
      known
        .map((text, n) => `${sha1(text)}:${n}`)
        .sort()
        .join('\r\n'),
    );
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('refuses each password in it, and no other', async () => {
    for (const password of known) expect(await isBreached(file, password)).toBe(true);
    for (let n = 0; n < 200; n++) expect(await isBreached(file, `unknown password ${n}`)).toBe(false);
  });

  it('may have no counts, and one line or none', async () => {
    const bare = join(folder, 'bare.txt');
    await writeFile(bare, `${sha1('one')}\n`);
    expect(await isBreached(bare, 'one')).toBe(true);
    expect(await isBreached(bare, 'two')).toBe(false);
    await writeFile(bare, '');
    expect(await isBreached(bare, 'one')).toBe(false);
  });

  it('is consulted for passwords that are not guessable', async () => {
    const strength = new PasswordStrength({ breachedPasswordsFile: file });
    await expect(strength.assertStrong('known password 7', [])).rejects.toMatchObject({
      errors: { password: ['This password is known from a data breach. Choose another one.'] },
    });
    await expect(strength.assertStrong('correct horse battery', [])).resolves.toBeUndefined();
  });
});
