import { randomBytes } from 'node:crypto';
import { endingTransactionsWith } from '@vitrine/database';
import { sqlState, withCorrelation } from '@vitrine/runtime';
import { eventually } from '@vitrine/testing';
import { TooManyRequestsError, UnavailableError } from '../../base/errors/domain-error';
import { SlugTakenError } from '../../base/identifiers/fresh-slug';
import { MediaEntity } from '../rows/media.entity';
import { MediaRepository } from '../rows/media.repository';
import type { NewMedia } from '../rows/media-row.types';
import { ProcessingShareConfig } from '../processing-turns/processing-share.config';
import { useMedia } from '../../../test/media-stage';

describe('simultaneous uploads', () => {
  const stage = useMedia();
  const upload = (name: string, media: NewMedia, filesPerDay = 1000) =>
    withCorrelation(name, () => stage.uploads.register(media, stage.quota('user:1', filesPerDay), null));
  const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `upload-${at}`);

  it('of one account are registered in few connection, each with the correlation id of its request', async () => {
    const user = await stage.createUser();
    const views = await Promise.all(names(20).map((name) => upload(name, stage.newMedia(user))));
    const [{ connection }] = await stage.dataSource.query(
      'select count(distinct xmin::text)::int as connection from media',
    );
    expect(connection).toBe(2);
    const slugs = await stage.dataSource.query(
      `select envelope->'data'->>'slug' as slug from outbox
       where envelope->>'type' = 'media.uploaded' order by envelope->>'correlation_id'`,
    );
    const expected = names(20)
      .map((name, at) => ({ name, slug: views[at]!.media.slug }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    expect(slugs).toEqual(expected.map(({ slug }) => ({ slug })));
    const requested = await stage.dataSource.query(
      `select envelope->>'correlation_id' as name, envelope->'data'->>'slug' as slug from outbox
       where envelope->>'type' = 'media.processing_requested'`,
    );
    // This includes uploads of the second transaction; the first upload had a separate one.
    expect(requested).toHaveLength(stage.domain.get(ProcessingShareConfig).share);
    expect(expected).toEqual(expect.arrayContaining(requested));
  });

  it('of one account each run their last statement in the transaction that registers them', async () => {
    const user = await stage.createUser();
    const marks: string[] = [];
    const upload = (name: string) =>
      endingTransactionsWith(
        async (tx) => {
          if (name === 'upload-3') throw new UnavailableError(1);
          const [found] = await tx.query<{ slug: string }>('select slug from media where title = $1', [name]);
          marks.push(found!.slug);
        },
        () => stage.uploads.register(stage.newMedia(user, { title: name }), stage.quota('user:1'), null),
      );
    const outcomes = await Promise.allSettled(names(6).map(upload));
    expect(outcomes.map(({ status }) => status)).toEqual(
      names(6).map((_, at) => (at === 3 ? 'rejected' : 'fulfilled')),
    );
    const registered = await stage.dataSource.query('select slug from media');
    expect(new Set(marks)).toEqual(new Set(registered.map(({ slug }: { slug: string }) => slug)));
  });

  it('return the rows as they are stored', async () => {
    const user = await stage.createUser();
    const all = {
      ...{ title: 'A "title"', description: 'two\nlines', altText: '\\x41', tags: ['one', 'two words'] },
      ...{
        kind: 'video' as const,
        duration: 0.1,
        unlisted: true,
        ownerNsfw: true,
        deletionSha256: randomBytes(32),
      },
    };
    const rows = await stage.connection.transaction((tx) =>
      stage.domain
        .get(MediaRepository)
        .insert(tx, [
          stage.newMedia(user),
          stage.newMedia(user, all),
          stage.newMedia(null, { bytes: 2 ** 40 }),
        ]),
    );
    expect(rows).toMatchObject([
      { userId: user, title: null, tags: [] },
      all,
      { userId: null, bytes: 2 ** 40 },
    ]);
    const stored = await stage.dataSource.getRepository(MediaEntity).find({ order: { id: 'asc' } });
    expect(rows).toMatchObject(stored.map(({ ownerRestriction: _, ...row }) => row));
  });

  it('are accepted up to the daily limit, and not beyond', async () => {
    const user = await stage.createUser();
    const outcomes = await Promise.allSettled(names(20).map((name) => upload(name, stage.newMedia(user), 7)));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.map(({ reason }) => reason)).toEqual(Array(13).fill(expect.any(TooManyRequestsError)));
    expect(await stage.dataSource.query('select files from upload_counts')).toEqual([{ files: 7 }]);
    expect(await stage.dataSource.query('select id from media')).toHaveLength(7);
  });

  it('of several accounts are each checked against the daily count of their own account', async () => {
    await upload('first', stage.newMedia(await stage.createUser()));
    const checks = ['user:1', 'user:2'].map((subject) =>
      stage.uploads.assertWithinQuota(stage.quota(subject, 1)),
    );
    expect((await Promise.allSettled(checks)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });

  it('do not fail because the slug of one of them is taken', async () => {
    const user = await stage.createUser();
    const { media } = await upload('first', stage.newMedia(user));
    const taken = { slug: media.slug };
    const outcomes = await Promise.allSettled(
      names(6).map((name, at) => upload(name, stage.newMedia(user, at === 3 ? taken : {}))),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(
      names(6).map((_, at) => (at === 3 ? 'rejected' : 'fulfilled')),
    );
    expect(outcomes[3]).toMatchObject({ reason: expect.any(SlugTakenError) });
    expect(await stage.dataSource.query('select files from upload_counts')).toEqual([{ files: 6 }]);
  });

  it('do not fail because PostgreSQL refuses the values of one of them', async () => {
    const user = await stage.createUser();
    const outcomes = await Promise.allSettled(
      names(6).map((name, at) => upload(name, stage.newMedia(user, at === 3 ? { ext: 'NOT ONE' } : {}))),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(
      names(6).map((_, at) => (at === 3 ? 'rejected' : 'fulfilled')),
    );
    expect(outcomes[3]).toMatchObject({ reason: { constraint: 'media_ext_check' } });
    expect(await stage.dataSource.query('select files from upload_counts')).toEqual([{ files: 5 }]);
  });

  it('fail together if their connection is lost, and none of them is registered', async () => {
    const user = await stage.createUser();
    const media = names(6).map(() => stage.newMedia(user));
    const uploadAll = () => Promise.allSettled(media.map((one, at) => upload(`upload-${at}`, one)));
    const { outcomes } = await stage.connection.transaction(async (tx) => {
      await tx.query('select from users where id = $1 for update', [user]);
      const outcomes = uploadAll();
      const ended: number[] = [];
      // The first upload has a separate transaction; that of the others begins when it has failed.
      while (ended.length < 2) {
        ended.push(
          await eventually(async () => {
            const waiting = await stage.dataSource.query(
              `select pid, pg_terminate_backend(pid) from pg_stat_activity
               where datname = current_database() and wait_event_type = 'Lock' and pid <> all ($1)`,
              [ended],
            );
            expect(waiting).toHaveLength(1);
            return waiting[0].pid;
          }),
        );
      }
      return { outcomes };
    });
    const reasons = (await outcomes).map((outcome) =>
      outcome.status === 'rejected' ? outcome.reason : null,
    );
    expect(reasons.map(sqlState)).toEqual(names(6).map(() => '57P01'));
    expect(new Set(reasons).size).toBe(2);
    for (const table of ['media', 'upload_counts', 'processing_turns', 'outbox']) {
      expect(await stage.dataSource.query(`select from ${table}`)).toEqual([]);
    }
    expect((await uploadAll()).map(({ status }) => status)).toEqual(names(6).map(() => 'fulfilled'));
    expect(await stage.dataSource.query('select files from upload_counts')).toEqual([{ files: 6 }]);
  });
});
