import type { Post } from '@vitrine/client';
import type { IconName } from './icon';

type Visibility = NonNullable<Post['visibility']>;

/** The name and the meaning of each visibility of a post, the same words everywhere. */
export const VISIBILITIES: Readonly<Record<Visibility, { name: string; meaning: string; icon: IconName }>> = {
  public: { name: 'Public', meaning: 'Everyone can find it.', icon: 'eye' },
  hidden: {
    name: 'Unlisted',
    meaning: 'Anyone with the link can see it. It isn’t shown in lists.',
    icon: 'images',
  },
  private: { name: 'Private', meaning: 'Only people with the secret link can see it.', icon: 'lock' },
};
