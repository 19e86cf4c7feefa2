/** Who finds a post: everybody, whoever knows its slug, whoever has its access key. */
export const VISIBILITIES = ['public', 'hidden', 'private'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** Which feeds an item is in: none, all of them, or those that include nsfw. */
export const LISTINGS = ['unlisted', 'safe', 'nsfw'] as const;
export type Listing = (typeof LISTINGS)[number];
