import { randomBytes } from 'node:crypto';
import type { PerceptualHash } from '@vitrine/contracts';
import { Database } from '@vitrine/database';
import { AuditLog } from '../../base/audit/audit-log.service';
import { BannedHashRepository } from './banned-hash.repository';
import { BannedHashesService } from './banned-hashes.service';
import { useModeration } from '../../../test/moderation-stage';

describe('BannedHashesService', () => {
  const stage = useModeration();
  const { addModerator } = stage;
  const banPictures = (perceptual: readonly PerceptualHash[]) =>
    stage.domain
      .get(Database)
      .transaction((tx) => stage.bannedHashes.banFiles(tx, [{ sha256: [], perceptual }], 'test', null));

  describe('banned hashes', () => {
    it('apply from their creation to their removal, also in a process that has loaded other bans', async () => {
      const pdq = randomBytes(32).toString('hex');
      const hashes = [{ pdq, quality: 80, at: 0 }];
      const elsewhere = new BannedHashesService(
        stage.domain.get(Database),
        new BannedHashRepository(stage.domain.get(Database)),
        stage.domain.get(AuditLog),
      );
      expect(await elsewhere.matchPerceptual(hashes)).toBeNull();
      await banPictures(hashes);
      const match = await elsewhere.matchPerceptual(hashes);
      expect(match).toMatchObject({ distance: 0 });
      await stage.bannedHashes.unban(match?.bannedHashId ?? 0, null);
      expect(await elsewhere.matchPerceptual(hashes)).toBeNull();
    });

    it('are added once by the hexadecimal SHA-256', async () => {
      const hex = randomBytes(32).toString('hex');
      expect(await stage.bannedHashes.isBannedSha256(hex)).toBe(false);
      expect(await stage.bannedHashes.banSha256(hex, 'first', null)).toBe(true);
      expect(await stage.bannedHashes.banSha256(hex.toUpperCase(), 'second', null)).toBe(false);
      const lookUps = [randomBytes(32).toString('hex'), hex].map((one) =>
        stage.bannedHashes.isBannedSha256(one),
      );
      expect(await Promise.all(lookUps)).toEqual([false, true]);
      await expect(stage.bannedHashes.banSha256('abc', 'short', null)).rejects.toThrow(TypeError);
    });

    it('from other sources apply too, and are listed newest first with their creators', async () => {
      await stage.dataSource.query('delete from banned_hashes');
      const { userId, username } = await addModerator();
      const [file, picture] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
      await stage.bannedHashes.banSha256(randomBytes(32).toString('hex'), 'by the operator', null);
      const entry = await stage.bannedHashes.ban('sha256', file.toUpperCase(), 'first', userId);
      await stage.bannedHashes.ban('pdq', picture, 'copied', userId);
      expect(await stage.bannedHashes.ban('sha256', file, 'second', userId)).toEqual(entry);
      expect(await stage.bannedHashes.isBannedSha256(file)).toBe(true);
      const near = [{ pdq: picture, quality: 100, at: 0 }];
      expect(await stage.bannedHashes.matchPerceptual(near)).toMatchObject({ distance: 0 });
      const { items, total } = await stage.bannedHashes.findPage(1, 2);
      expect(total).toBe(3);
      expect(items).toMatchObject([
        { kind: 'pdq', hash: Buffer.from(picture, 'hex'), reason: 'copied', createdBy: username },
        {
          id: entry.id,
          kind: 'sha256',
          hash: Buffer.from(file, 'hex'),
          reason: 'first',
          createdBy: username,
        },
      ]);
      expect((await stage.bannedHashes.findPage(2, 2)).items).toMatchObject([
        { reason: 'by the operator', createdBy: null },
      ]);
    });

    it('are added once if two moderators ban a hash at the same time', async () => {
      const { userId } = await addModerator();
      const hex = randomBytes(32).toString('hex');
      const entries = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          stage.bannedHashes.ban('sha256', hex, `try ${index}`, userId),
        ),
      );
      expect(new Set(entries.map(({ id }) => id)).size).toBe(1);
    });

    it('match a picture that was mirrored, turned or inverted', async () => {
      const [banned, turned] = [randomBytes(32), randomBytes(7 * 32)];
      banned.copy(turned, 5 * 32);
      const hash = {
        pdq: randomBytes(32).toString('hex'),
        quality: 100,
        at: 0,
        turned: turned.toString('base64'),
      };
      await stage.bannedHashes.banSha256(randomBytes(32).toString('hex'), 'another kind', null);
      expect(await stage.bannedHashes.matchPerceptual([hash])).toBeNull();
      await banPictures([{ pdq: banned.toString('hex'), quality: 100, at: 0 }]);
      expect(await stage.bannedHashes.matchPerceptual([hash])).toMatchObject({ distance: 0 });
      const negative = Buffer.from(banned.map((byte) => ~byte)).toString('hex');
      expect(
        await stage.bannedHashes.matchPerceptual([{ pdq: negative, quality: 100, at: 0 }]),
      ).toMatchObject({
        distance: 0,
      });
    });

    it('return the nearest of several matches', async () => {
      const banned = randomBytes(32);
      const near = Buffer.from(banned);
      near[0] = (near[0] ?? 0) ^ 0b111;
      await banPictures([{ pdq: banned.toString('hex'), quality: 100, at: 0 }]);
      const match = await stage.bannedHashes.matchPerceptual([
        { pdq: randomBytes(32).toString('hex'), quality: 100, at: 0 },
        { pdq: near.toString('hex'), quality: 100, at: 1 },
      ]);
      expect(match?.distance).toBe(3);
    });
  });
});
