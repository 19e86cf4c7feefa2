import { isShownEverywhere } from '../../src/components/picture';
import { uploadedMediaOf } from './media-facts';

describe('uploadedMediaOf', () => {
  it.each([
    ['image/jpeg', 'a.jpg', 'a.jpg'],
    ['image/svg+xml', 'a.svg', 'a.svg'],
    ['image/heic', 'a.heic', 'a_xl.jpg'],
    ['video/x-matroska', 'a.mkv', 'a.mkv'],
  ])('links to a picture that browsers show: of a %s %s to %s', (type, original, link) => {
    const urls = { original, thumb: 'a_thumb.jpg', xl: 'a_xl.jpg' };
    const state = { processed: false, moderation_status: 'pending', processing_error: null } as const;
    expect(uploadedMediaOf({ id: 1, slug: 'a', type, urls, ...state }).link).toBe(link);
    const ext = original.slice(2);
    if (type.startsWith('image/')) expect(isShownEverywhere({ ext })).toBe(link === original);
  });
});
