import { openStill, type ImageInput } from '../pixels/open-image';
import { toDeepPixels, toPixels } from '../pixels/pixels';
import { wrapInTiff } from './tiff-wrapper';

/**
 * A picture with premultiplied colours, as an uncompressed TIFF that declares this and holds `profile`, because
 * libvips doesn't recognise it in an AVIF. With 16 bits if `deep` is true.
 */
export async function declarePremultiplied(
  input: ImageInput,
  { deep, profile }: { readonly deep: boolean; readonly profile: Uint8Array | undefined },
): Promise<ImageInput> {
  const coded = openStill(input, { ignoreIcc: true });
  const { data, width, height, channels } = await (deep ? toDeepPixels(coded) : toPixels(coded));
  if (channels !== 4) return input;
  const layout = { width, height, channels, depth: deep ? 16 : 8, isPremultiplied: true } as const;
  const { tiff, pixels } = wrapInTiff(layout, profile);
  pixels.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  return tiff;
}
