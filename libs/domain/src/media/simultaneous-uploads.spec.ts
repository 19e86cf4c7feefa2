import { withCorrelation } from '@vitrine/runtime';
import { TooManyRequestsError } from '../errors/domain-error';
import { SlugTakenError } from '../identifiers/fresh-slug';
import type { NewMedia } from '../media-rows/media-row.types';
import { useMedia } from '../../test/media-stage';

describe('simultaneous uploads of one account', () => {
  const stage = useMedia();
  const upload = (name: string, media: NewMedia, filesPerDay = 1000) =>
    withCorrelation(name, () => stage.uploads.register(media, stage.quota('user:1', filesPerDay), null));
  const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `upload-${at}`);

  it('are registered in few transactions, each with the correlation id of its request', async () => {
    const user = await stage.createUser();
    const views = await Promise.all(names(20).map((name) => upload(name, stage.newMedia(user))));
    const [{ transactions }] = await stage.dataSource.query(
      'select count(distinct xmin::text)::int as transactions from media',
    );
    expect(transactions).toBe(2);
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
    expect(requested.length).toBeGreaterThan(1);
    expect(expected).toEqual(expect.arrayContaining(requested));
  });

  it('are accepted up to the daily limit, and not beyond', async () => {
    const user = await stage.createUser();
    const outcomes = await Promise.allSettled(names(20).map((name) => upload(name, stage.newMedia(user), 7)));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.map(({ reason }) => reason)).toEqual(Array(13).fill(expect.any(TooManyRequestsError)));
    expect(await stage.dataSource.query('select files from upload_counts')).toEqual([{ files: 7 }]);
    expect(await stage.dataSource.query('select id from media')).toHaveLength(7);
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
});
