import { openStill, type ImageInput } from './open-image';
import { toDeepPixels, toPixels } from './pixels';
import { wrapInTiff } from './tiff-wrapper';

/**
 * A picture whose colours have been multiplied with its alpha, as an uncompressed TIFF that says so and carries
 * `profile`: libvips doesn't know it of an AVIF. In 16 bits where `deep` says so.
 */
export async function tellPremultiplied(
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
