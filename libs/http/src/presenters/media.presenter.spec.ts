import { loadConfig, PublicUrlsConfig } from '@vitrine/runtime';
import type { MediaView } from '@vitrine/domain';
import { presentMedia } from './media.presenter';

describe('presentMedia', () => {
  const animatedOf = (format: string, frames: number): boolean => {
    const media = {
      ...{ slug: 'aB3dE5f', kind: 'image', format, ext: format, frames, variants: [] },
      ...{ moderationStatus: 'approved', createdAt: new Date(0) },
    } as unknown as MediaView['media'];
    return presentMedia({ media, owner: null }, loadConfig(PublicUrlsConfig, {}), false).animated;
  };

  it('says that a file with several frames is animated, if its variants are', () => {
    for (const format of ['gif', 'png', 'webp', 'avif']) expect(animatedOf(format, 2)).toBe(true);
  });

  it('says that files with one frame, and those with several pages, are not animated', () => {
    expect(animatedOf('gif', 1)).toBe(false);
    for (const format of ['tiff', 'heic', 'jpeg', 'jxl']) expect(animatedOf(format, 2)).toBe(false);
  });
});
