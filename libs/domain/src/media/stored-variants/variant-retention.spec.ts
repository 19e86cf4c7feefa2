import { isSized, type VariantRecord } from '@vitrine/contracts';
import { useMedia } from '../../../test/media-stage';
import type { MediaView } from '../items/media.types';
import { ImplausibleResultError } from '../rows/processing-result.rules';
import { chooseRemovals, type UnusedMedia } from './variant-retention.rules';
import { VariantRetention } from './variant-retention.service';

const DAYS = 30;

describe('chooseRemovals', () => {
  const cutoff = new Date('2026-11-01T00:00:00Z');
  const old = new Date('2026-01-01T00:00:00Z');
  const record = (name: VariantRecord['name'], key: string): VariantRecord => ({
    ...{ name, key, ext: 'jpg', mime: 'image/jpeg' },
    ...{ width: 1, height: 1, bytes: 1 },
  });
  const photograph: UnusedMedia = {
    ...{ slug: 'Photo01', kind: 'image', format: 'jpeg', ext: 'jpg', width: 4000, height: 3000, frames: 1 },
    ...{ usedAt: old, uses: {}, alternatives: [] },
    variants: [
      record('xs', 'f/Photo01_xs.jpg'),
      record('md', 'f/Photo01_md.jpg'),
      record('xl', 'f/Photo01.jpg'),
      record('thumb', 'f/Photo01_xs.jpg'),
    ],
  };
  const keysOf = (changes: Partial<UnusedMedia>): readonly string[] =>
    chooseRemovals({ ...photograph, ...changes }, cutoff).keys;

  it('chooses each unused object once, and never the original', () => {
    const { variants, keys, usedAt } = chooseRemovals(photograph, cutoff);
    expect(keys).toEqual(['f/Photo01_xs.jpg', 'f/Photo01_md.jpg']);
    expect(variants.filter(isSized).map(({ name, removed }) => [name, removed])).toEqual([
      ['xs', true],
      ['md', true],
      ['xl', undefined],
      ['thumb', true],
    ]);
    expect(usedAt).toBeNull();
  });

  it('keeps an object while a variant that shares it is used, until the end of its last day', () => {
    expect(keysOf({ uses: { thumb: '2026-10-31' } })).toEqual(['f/Photo01_md.jpg']);
    expect(keysOf({ uses: { thumb: '2026-10-30' } })).toHaveLength(2);
    const { usedAt } = chooseRemovals(
      { ...photograph, uses: { md: '2026-11-20', xs: '2026-11-05' } },
      cutoff,
    );
    expect(usedAt).toEqual(new Date('2026-11-06T00:00:00Z'));
  });

  it.each<[string, Partial<UnusedMedia>]>([
    ['a video', { kind: 'video' }],
    ['an animation', { format: 'gif', frames: 2 }],
    ['a drawing', { format: 'svg' }],
    ['a HEIC', { format: 'heic' }],
    ['a huge picture', { width: 10_000, height: 9_000 }],
  ])('removes nothing of %s, which is not made within a second', (_, changes) => {
    expect(keysOf(changes)).toEqual([]);
  });

  it('removes variants of a JPEG with several pictures, which show the first one', () => {
    expect(keysOf({ frames: 2 })).toHaveLength(2);
  });
});

describe('VariantRetention', () => {
  const stage = useMedia();
  let retention: VariantRetention;
  let view: MediaView;

  beforeAll(() => (retention = stage.domain.get(VariantRetention)));
  beforeEach(async () => {
    view = await stage.register(await stage.createUser());
    await stage.processing.recordProcessed(stage.processedOf(view));
    await stage.decide(view.media.id, 'approved');
    await stage.dataSource.query('truncate variant_retention');
    await stage.dataSource.query('truncate storage_deltas');
  });

  const key = (name: string): string => `f/${view.media.slug}_${name}.jpg`;
  const age = (days: number) =>
    stage.dataSource.query(`update media set processed_at = now() - $1 * interval '1 day'`, [days]);
  const sql = (text: string) => stage.dataSource.query(text);
  const remove = async (): Promise<readonly string[]> => (await retention.removeUnused(DAYS, 10)).keys;
  const removedNames = async (): Promise<string[]> => {
    const { media } = await stage.reading.findForViewer(view.media.slug, { userId: 0, role: 'moderator' });
    return media.variants
      .filter(isSized)
      .filter(({ removed }) => removed)
      .map(({ name }) => name);
  };
  const storedBytes = async (): Promise<number> => {
    const [row] = await sql('select sum(variant_bytes)::int as bytes from storage_deltas');
    return row.bytes;
  };
  const removeAll = async (): Promise<void> => {
    await age(DAYS + 1);
    await retention.endRemovals(await remove());
  };
  const remade = (changes: object = {}) => {
    const { id, slug } = view.media;
    return { media_id: id, slug, key: key('md'), bytes: 7, took_ms: 1, ...changes };
  };

  it('removes only variants that were not requested, and counts their bytes no longer', async () => {
    await age(DAYS - 1);
    expect(await remove()).toEqual([]);
    await age(DAYS + 1);
    await retention.recordUses([
      { slug: view.media.slug, name: 'md' },
      { slug: 'Unknown', name: 'md' },
    ]);
    expect(await remove()).toEqual(['xs', 'sm', 'lg', 'xl', 'thumb'].map(key));
    expect(await removedNames()).toEqual(['xs', 'sm', 'lg', 'xl', 'thumb']);
    expect(await storedBytes()).toBe(-5);
    // It is looked at again when the rest may be due.
    expect(await retention.removeUnused(DAYS, 10)).toEqual({ looked: 0, keys: [] });
    await sql(`update variant_uses set used_on = current_date - 40`);
    await sql(`update media set variants_used_at = now() - interval '39 days'`);
    await retention.endRemovals(['xs', 'sm', 'lg', 'xl', 'thumb'].map(key));
    expect(await remove()).toEqual([key('md')]);
    expect((await sql('select variants_used_at::text as at from media'))[0]).toEqual({ at: 'infinity' });
  });

  it.each([
    ['not decided on', `update media set decided_at = null`],
    [
      'being processed again',
      `insert into processing_turns (media_id, subject, lane, cost) select id, 'a', 'quick', 1 from media`,
    ],
  ])('removes nothing of a media item that is %s', async (_, change) => {
    await age(DAYS + 1);
    await sql(change);
    expect(await remove()).toEqual([]);
  });

  it('divides the media among simultaneous sweeps', async () => {
    await age(DAYS + 1);
    const swept = await Promise.all([remove(), remove(), remove()]);
    expect(swept.flat()).toHaveLength(6);
  });

  it('counts the days from the moment at which uses are recorded without a break', async () => {
    const began = await retention.keepRecording();
    expect(await retention.keepRecording()).toEqual(began);
    await sql(
      `update variant_retention set seen_at = now() - interval '3 days', since = since - interval '99 days'`,
    );
    expect((await retention.keepRecording()).getTime()).toBeGreaterThanOrEqual(began.getTime());
  });

  it('gives one of many simultaneous readers the request, and none after it is made', async () => {
    await removeAll();
    const ask = () => retention.requestRemake(view.media.slug, key('md'));
    const steps = await Promise.all(Array.from({ length: 20 }, ask));
    const requests = steps.flatMap((step) => ('request' in step && step.request ? [step.request] : []));
    expect(steps.every(({ step }) => step === 'wait')).toBe(true);
    expect(requests).toMatchObject([
      {
        slug: view.media.slug,
        key: `f/${view.media.slug}.jpg`,
        variant: { key: key('md'), ext: 'jpg', width: 1 },
      },
    ]);
    expect(await retention.findInProgress([key('md'), key('lg')])).toEqual(new Set([key('md')]));

    expect(await retention.recordRemade(remade())).toBe('recorded');

    expect(await ask()).toEqual({ step: 'look' });
    expect(await retention.findInProgress([key('md')])).toEqual(new Set());
    expect(await removedNames()).not.toContain('md');
    expect(await storedBytes()).toBe(-6 + 7);
    expect(await retention.recordRemade(remade())).toBe('ignored');
    // It was requested today, so it stays.
    expect(await remove()).toEqual([]);
  });

  it('requests a variant again whose message was lost', async () => {
    await removeAll();
    const ask = () => retention.requestRemake(view.media.slug, key('md'));
    await ask();
    await sql(`update variant_work set since = now() - interval '31 seconds'`);
    expect(await retention.findInProgress([key('md')])).toEqual(new Set());
    expect(await ask()).toMatchObject({ step: 'wait', request: { slug: view.media.slug } });
  });

  it('requests no variant of a rejected media item, and ends waiting for it', async () => {
    await removeAll();
    await retention.requestRemake(view.media.slug, key('md'));
    await stage.decide(view.media.id, 'rejected');
    expect(await retention.findInProgress([key('md')])).toEqual(new Set());
    expect(await retention.requestRemake(view.media.slug, key('lg'))).toEqual({ step: 'look' });
  });

  it('requests no more than a hundred variants at a time', async () => {
    await removeAll();
    await sql(
      `insert into variant_work (key, media_id, work) select 'f/other_' || n, id, 'make' from media, generate_series(1, 100) n`,
    );
    const ask = () => retention.requestRemake(view.media.slug, key('md'));
    expect(await ask()).toEqual({ step: 'busy' });
    await sql(`update variant_work set since = now() - interval '31 seconds'`);
    expect(await ask()).toMatchObject({ step: 'wait' });
    expect(await retention.forgetStaleWork()).toBe(100);
  });

  it('waits until a removal has ended, and ignores what is made meanwhile', async () => {
    await age(DAYS + 1);
    const keys = await remove();
    const ask = () => retention.requestRemake(view.media.slug, key('md'));
    expect(await ask()).toEqual({ step: 'wait' });
    expect(await retention.recordRemade(remade())).toBe('ignored');
    expect(await removedNames()).toContain('md');
    await retention.endRemovals(keys);
    expect(await ask()).toMatchObject({ step: 'wait', request: {} });
  });

  it('hands removals of a killed process over to another one, except for media that were processed again', async () => {
    await age(DAYS + 1);
    const keys = await remove();
    expect(await retention.takeOverRemovals(10)).toEqual([]);
    await sql(`update variant_work set since = now() - interval '61 seconds'`);
    expect([...(await retention.takeOverRemovals(10))].sort()).toEqual([...keys].sort());
    await sql(`update variant_work set since = now() - interval '61 seconds'`);
    await stage.processing.recordProcessed(stage.processedOf(view));
    expect(await retention.takeOverRemovals(10)).toEqual([]);
    expect(await removedNames()).toEqual([]);
  });

  it('does not try a variant again immediately that could not be made', async () => {
    await removeAll();
    await retention.requestRemake(view.media.slug, key('md'));
    expect(await retention.recordRemade(remade({ bytes: null }))).toBe('recorded');
    expect(await retention.requestRemake(view.media.slug, key('md'))).toEqual({ step: 'failed' });
    await sql(`update variant_work set since = now() - interval '11 minutes'`);
    expect(await retention.requestRemake(view.media.slug, key('md'))).toMatchObject({
      step: 'wait',
      request: {},
    });
  });

  it.each([
    ['another media item', { slug: 'Another' }],
    ['no slug', { slug: '../../x' }],
    ['an object that is no variant', { key: 'f/Another_md.jpg' }],
    ['an impossible size', { bytes: -1 }],
  ])('refuses a message about %s', async (_, changes) => {
    await removeAll();
    await expect(retention.recordRemade(remade(changes))).rejects.toThrow(ImplausibleResultError);
  });

  it('reports a deleted media item as unknown', async () => {
    await removeAll();
    await sql('delete from media');
    expect(await retention.recordRemade(remade())).toBe('unknown');
  });

  it('marks a missing object as removed only if the original is stored', async () => {
    const missing = (name: string, isStored: boolean) =>
      retention.recordMissing(view.media.slug, name, () => Promise.resolve(isStored));
    expect(await missing(key('md'), false)).toBe(false);
    expect(await missing(`f/${view.media.slug}.jpg`, true)).toBe(false);
    expect(await removedNames()).toEqual([]);
    expect(await missing(key('md'), true)).toBe(true);
    expect(await removedNames()).toEqual(['md']);
  });
});
