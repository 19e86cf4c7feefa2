import { link, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type LoopVariant,
  type MediaProcessingRequested,
  objectKeys,
  type StillVariant,
  VARIANT_NAMES,
} from '@vitrine/contracts';
import { UnprocessableFileError } from '../failures/failures';
import type { JobResult } from '../jobs/protocol';
import { moveAlternatives, moveCheckedFiles, moveRemadeFile } from './made-files';

const SLUG = 'Media01';
const BYTES = Buffer.from('a picture');

describe('the result of a worker', () => {
  let folder: string;
  let from: string;
  let into: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vitrine-made-'));
    [from, into] = [join(folder, 'job'), join(folder, 'accepted')];
    await mkdir(from);
    await mkdir(into);
    for (const name of ['xs.jpg', 'frame-0.jpg']) await writeFile(join(from, name), BYTES);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const media: MediaProcessingRequested = {
    ...{ media_id: 1, slug: SLUG, key: objectKeys.original(SLUG, 'jpg'), kind: 'image', format: 'jpeg' },
    ...{ mime: 'image/jpeg', ext: 'jpg', bytes: 5, width: 9, height: 9, frames: 1, duration: null },
  };
  const key = objectKeys.variant(SLUG, 'xs', 'jpg');
  const frame = objectKeys.moderationFrame(SLUG, 0);
  const honest: JobResult = {
    files: [
      { file: 'xs.jpg', key },
      { file: 'frame-0.jpg', key: frame },
    ],
    variants: VARIANT_NAMES.map((name) => ({
      ...{ name, key, ext: 'jpg', mime: 'image/jpeg', width: 9, height: 9, bytes: BYTES.length },
    })),
    frames: [frame],
    hashes: [{ pdq: '0'.repeat(64), quality: 90, at: 0, turned: 'AAAA', border_cut: true }],
    fully_seen: true,
    thumbhash: 'AAAA',
    width: 9,
    height: 9,
    duration: null,
  };
  const files = ([first, ...rest]: JobResult['files'], changes: object): JobResult['files'] =>
    [{ ...first, ...changes }, ...rest] as JobResult['files'];

  it('is moved out of the worker’s reach, without unknown fields', async () => {
    const result = { ...honest, took_ms: -1, media_id: 7 };
    expect(await moveCheckedFiles(result, media, { from, into })).toEqual(honest);
    expect(await readdir(from)).toEqual([]);
    expect((await readdir(into)).sort()).toEqual(['frame-0.jpg', 'xs.jpg']);
  });

  const stillKey = objectKeys.variant(SLUG, 'still', 'jpg');
  const still: StillVariant = {
    ...{ key: stillKey, ext: 'jpg', mime: 'image/jpeg', width: 9, height: 9, bytes: BYTES.length },
    name: 'still',
  };
  const loopKey = objectKeys.variant(SLUG, 'loop', 'mp4');
  const loop: LoopVariant = {
    ...{ key: loopKey, ext: 'mp4', mime: 'video/mp4', width: 8, height: 8, bytes: BYTES.length },
    name: 'loop',
  };
  const moving: JobResult = {
    ...honest,
    files: [...honest.files, { file: 'still.jpg', key: stillKey }, { file: 'loop.mp4', key: loopKey }],
    still,
    loop,
  };

  it('may have the still and the loop of an animation', async () => {
    await writeFile(join(from, 'still.jpg'), BYTES);
    await writeFile(join(from, 'loop.mp4'), BYTES);
    expect(await moveCheckedFiles(moving, media, { from, into })).toEqual(moving);
  });

  // Promise [security]: Only well-formed variants of the expected files are accepted from a decoder.
  it.each<[string, Partial<JobResult>]>([
    ['has the still of another media item', { ...moving, still: { ...still, key: 'f/Other01_still.jpg' } }],
    ['has a still with a wrong size', { ...moving, still: { ...still, bytes: 1 } }],
    ['has a still that moves', { ...moving, still: { ...still, ext: 'mp4', mime: 'video/mp4' } }],
    ['has a still that is too large', { ...moving, still: { ...still, width: 5000 } }],
    ['describes no still and no loop that it made', { files: moving.files }],
    ['has the loop of another media item', { ...moving, loop: { ...loop, key: 'f/Other01_loop.mp4' } }],
    ['has a loop with a wrong size', { ...moving, loop: { ...loop, bytes: 1 } }],
    ['has a loop that is a page', { ...moving, loop: { ...loop, ext: 'html', mime: 'text/html' } }],
    ['has a loop that is too large', { ...moving, loop: { ...loop, width: 5000 } }],
    ['writes another media item’s variant', { files: files(honest.files, { key: 'f/Other01_xs.jpg' }) }],
    ['writes the original', { files: files(honest.files, { key: media.key }) }],
    [
      'writes what it does not describe',
      { files: [...honest.files, { file: 'x', key: `f/${SLUG}_sm.jpg` }] },
    ],
    ['describes what it does not write', { files: honest.files.slice(1) }],
    ['names a file outside of its folder', { files: files(honest.files, { file: '../../secret' }) }],
    ['names its folder as a file', { files: files(honest.files, { file: '..' }) }],
    ['names a file that is not there', { files: files(honest.files, { file: 'absent' }) }],
    ['names a file twice', { files: files(honest.files, { file: 'frame-0.jpg' }) }],
    ['gives a wrong size', { variants: honest.variants.map((variant) => ({ ...variant, bytes: 1 })) }],
    ['has another media item’s frames', { frames: ['frames/Other01/0.jpg'] }],
    [
      'has a page among its variants',
      { variants: honest.variants.map((each) => ({ ...each, mime: 'text/html' })) },
    ],
  ])('is refused if it %s', async (_, change) => {
    await expect(moveCheckedFiles({ ...honest, ...change }, media, { from, into })).rejects.toBeInstanceOf(
      UnprocessableFileError,
    );
  });

  it.each([
    ['a symbolic link to another file', (path: string, target: string) => symlink(target, path)],
    ['a hard link to another file', (path: string, target: string) => link(target, path)],
    ['a folder', (path: string) => mkdir(path)],
  ])('is refused if a file is %s', async (_, make) => {
    const secret = join(folder, 'secret');
    await writeFile(secret, BYTES);
    await rm(join(from, 'xs.jpg'));
    await make(join(from, 'xs.jpg'), secret);
    await expect(moveCheckedFiles(honest, media, { from, into })).rejects.toBeInstanceOf(
      UnprocessableFileError,
    );
  });

  describe('of making one variant again', () => {
    const [picture, judged] = honest.files;
    const remade: JobResult = { ...honest, files: [picture!] };

    it('is that file, without anything else that the worker says', async () => {
      const { files: moved, variants, frames, hashes } = await moveRemadeFile(remade, key, { from, into });
      expect({ moved, variants, frames, hashes }).toEqual({
        moved: [picture],
        ...{ variants: [], frames: [], hashes: [] },
      });
      expect(await readdir(into)).toEqual(['xs.jpg']);
    });

    it.each<[string, JobResult['files']]>([
      ['writes no file', []],
      ['writes two files', [picture!, judged!]],
      ['writes the original', [{ file: 'xs.jpg', key: media.key }]],
      ['writes another size', [{ file: 'xs.jpg', key: objectKeys.variant(SLUG, 'md', 'jpg') }]],
      ['names a file outside of its folder', [{ file: '../secret', key }]],
      ['names a file that is missing', [{ file: 'md.jpg', key }]],
    ])('is refused if it %s', async (_, written) => {
      const moved = moveRemadeFile({ ...remade, files: written }, key, { from, into });
      await expect(moved).rejects.toBeInstanceOf(UnprocessableFileError);
    });

    it('is refused if the file is empty or a link', async () => {
      await writeFile(join(from, 'xs.jpg'), '');
      await expect(moveRemadeFile(remade, key, { from, into })).rejects.toBeInstanceOf(
        UnprocessableFileError,
      );
      await symlink('/etc/passwd', join(from, 'xs.jpg'));
      await expect(moveRemadeFile(remade, key, { from, into })).rejects.toBeInstanceOf(
        UnprocessableFileError,
      );
    });
  });

  describe('of making alternatives', () => {
    const variant = { key, ...{ width: 9, height: 9, bytes: 10 } };
    const file = { file: 'xs.jpg', key: objectKeys.alternative(key, 'webp') };
    const accept = (files: JobResult['files'], bytes = 10): Promise<JobResult> =>
      moveAlternatives({ ...honest, files }, [{ ...variant, bytes }], { from, into });

    it('is those files, without anything else that the worker says', async () => {
      const { files: moved, variants, frames, hashes } = await accept([file]);
      expect({ moved, variants, frames, hashes }).toEqual({
        moved: [file],
        ...{ variants: [], frames: [], hashes: [] },
      });
      expect(await readdir(into)).toEqual(['xs.jpg']);
    });

    it('may be nothing', async () => {
      expect((await accept([])).files).toEqual([]);
    });

    it.each<[string, JobResult['files']]>([
      ['writes the variant itself', [{ ...file, key }]],
      ['writes an alternative of another size', [{ ...file, key: 'f/Media01_md.webp' }]],
      ['writes one twice', [file, { file: 'frame-0.jpg', key: file.key }]],
      ['names a file outside of its folder', [{ ...file, file: '../secret' }]],
    ])('is refused if it %s', async (_, files) => {
      await expect(accept(files)).rejects.toBeInstanceOf(UnprocessableFileError);
    });

    it('is refused if a file saves too little', async () => {
      await expect(accept([file], 9)).rejects.toBeInstanceOf(UnprocessableFileError);
    });
  });
});
