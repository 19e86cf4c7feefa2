import { SlugTakenError } from '../../base/identifiers/fresh-slug';
import { useMedia } from '../../../test/media-stage';
import { PendingFiles } from './pending-files.service';

describe('PendingFiles', () => {
  const stage = useMedia();
  const pending = (): PendingFiles => stage.domain.get(PendingFiles);
  const rows = (): Promise<{ slug: string; given_up: boolean; in_minutes: number }[]> =>
    stage.dataSource.query(
      `select slug, given_up, round(extract(epoch from due_at - now()) / 60)::int as in_minutes from pending_files order by slug`,
    );
  beforeEach(() => stage.dataSource.query('truncate pending_files'));

  it('are those of uploads until their media are registered', async () => {
    const files = [stage.newMedia(null), stage.newMedia(null)];
    const slugs = files.map(({ slug }) => slug).sort();
    await pending().record([...slugs, 'Other01'], 600);
    expect(await rows()).toHaveLength(3);
    await stage.uploads.registerAll(files, stage.quota(), null);
    expect(await rows()).toEqual([{ slug: 'Other01', given_up: false, in_minutes: 10 }]);
  });

  it('registers no file of a body of which one was given up', async () => {
    const [late, other] = [stage.newMedia(null), stage.newMedia(null)];
    await pending().record([late.slug], 0);
    expect(await pending().giveUp(60)).toBe(1);
    await expect(stage.uploads.registerAll([other, late], stage.quota(), null)).rejects.toThrow(
      SlugTakenError,
    );
    expect(await stage.reading.findExistingSlugs([other.slug, late.slug])).toEqual(new Set());
    expect(await rows()).toEqual([{ slug: late.slug, given_up: true, in_minutes: 1 }]);
  });

  it('takes each slug once until its objects are deleted', async () => {
    await pending().record(['Young01'], 600);
    await pending().record(['Dead001', 'Dead002'], 0);
    await pending().giveUp(0);
    const [first, second] = await Promise.all([pending().takeGivenUp(1, 60), pending().takeGivenUp(1, 60)]);
    expect([...first, ...second].sort()).toEqual(['Dead001', 'Dead002']);
    expect(await pending().takeGivenUp(10, 60)).toEqual([]);
    await pending().end(['Young01', ...first]);
    expect(await rows()).toEqual([
      { slug: second[0], given_up: true, in_minutes: 1 },
      { slug: 'Young01', given_up: false, in_minutes: 10 },
    ]);
  });

  it('are those of a deleted media item until no media-processor can work on it', async () => {
    const user = await stage.createUser();
    const { media } = await stage.register(user);
    await stage.deletion.remove(media.slug, stage.as(user));
    expect(await rows()).toEqual([{ slug: media.slug, given_up: true, in_minutes: 75 }]);
  });
});
