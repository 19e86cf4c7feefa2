import { FILE_NAMES, STILL_EXTENSIONS, type VariantFileName } from '@vitrine/contracts';
import type { LinkedMedia } from './media-urls';
import { isAnimation, variantExtension } from './variant.rules';

/**
 * The extensions under which links to a variant exist: the one of its file, the one that was expected before it was
 * made, `png` where alpha may have replaced the expected `jpg`, and the original's, from which programs build links.
 * The file host answers to other extensions too, but lets no shared cache keep these answers. Each still and loop
 * that an animation may have had counts, because processing it again can remove them while caches keep them.
 */
export function variantExtensions(media: LinkedMedia, name: VariantFileName): readonly string[] {
  if (name === 'ml')
    return media.kind === 'image' && !isAnimation(media) ? variantExtensions(media, 'md') : [];
  if (name === 'still' || name === 'loop') {
    if (media.variants.length > 0 && isAnimation(media)) return name === 'loop' ? ['mp4'] : STILL_EXTENSIONS;
    return media.variants.filter((variant) => variant.name === name).map(({ ext }) => ext);
  }
  const expected = variantExtension({ ...media, variants: [] }, name);
  const withAlpha = expected === 'jpg' && media.kind === 'image' && media.format !== 'jpeg' ? ['png'] : [];
  return [...new Set([expected, variantExtension(media, name), media.ext, ...withAlpha])];
}

/**
 * The names below `/f/` of everything that shared caches may keep of a media item: its original, and each variant with each
 * of its extensions. A cache may hold each of them twice: as it is, and with `?download`. Everything that removes files
 * from caches by their addresses takes them from here, so a new kind of address belongs here too.
 */
export function fileNamesOf(media: LinkedMedia): readonly string[] {
  const variants = FILE_NAMES.flatMap((name) =>
    variantExtensions(media, name).map((ext) => `${media.slug}_${name}.${ext}`),
  );
  return [`${media.slug}.${media.ext}`, ...variants];
}
