import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { photograph } from '../harness/photograph';
import type { Reference } from './scorer';

/** Where Debian's package lomiri-wallpapers-16.04 puts photographs of phones and cameras (CC BY, CC BY-SA, CC0). */
const DEBIAN_FOLDER = '/usr/share/backgrounds';
/**
 * Pictures of that package that show what people photograph: leaves against a sky, animals, rocks and water, a room with
 * little light, mountains, a sunset, grass out of focus, paint in saturated colours.
 */
const CHOSEN = [
  'Dragonfly_by_Bolly.jpg',
  'friends_by_Aitzol_Berasategi.jpg',
  'life_by_Aitzol_Berasategi.jpg',
  'Wine_by_Jakkub_Mede.jpg',
  'picosdeeuropa_by_Aitzol_Berasategi.jpg',
  'sunset_by_Aitzol_Berasategi.jpg',
  'seeding_by_Clements_Engelhardt.jpg',
  'Picture_1A_by_freespace.jpg',
];

export interface Photographs {
  readonly source: string;
  readonly paths: readonly string[];
}

/**
 * Photographs to measure with, at most `count`: the JPEG files of `folder` in alphabetical order, or those of Debian's
 * package, or pictures that are generated into `scratch` if it isn't installed.
 */
export async function findPhotographs(
  count: number,
  scratch: string,
  folder: string | undefined,
): Promise<Photographs> {
  if (folder !== undefined) {
    const names = (await readdir(folder)).filter((name) => /\.jpe?g$/i.test(name)).sort();
    if (names.length === 0) throw new Error(`${folder} has no JPEG files`);
    return { source: folder, paths: names.slice(0, count).map((name) => join(folder, name)) };
  }
  const present = new Set(await readdir(DEBIAN_FOLDER).catch(() => []));
  const found = CHOSEN.filter((name) => present.has(name));
  if (found.length > 0) {
    const paths = found.slice(0, count).map((name) => join(DEBIAN_FOLDER, name));
    return { source: 'Debian’s lomiri-wallpapers-16.04', paths };
  }
  const paths = Array.from({ length: count }, (_, index) => join(scratch, `generated-${index}.jpg`));
  for (const [index, path] of paths.entries())
    await (await photograph(2400, 1800, index + 1)).jpeg({ quality: 92 }).toFile(path);
  return { source: 'generated pictures (lomiri-wallpapers-16.04 is not installed)', paths };
}

/**
 * The photograph resized with Lanczos to a longest edge, from all of its pixels: libvips otherwise lets the JPEG decoder
 * shrink it, as some of the compared programs do.
 */
export async function referenceOf(path: string, edge: number): Promise<Reference> {
  const whole = await sharp(path, { autoOrient: true }).raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = whole.info;
  const { data, info } = await sharp(whole.data, { raw: { width, height, channels } })
    .resize(edge, edge, { fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}
