/** Who can read a post: everyone, everyone who knows its slug, or everyone who has its access key. */
export const VISIBILITIES = ['public', 'hidden', 'private'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** Which feeds an item is in: none, all of them, or those that include nsfw. */
export const LISTINGS = ['unlisted', 'safe', 'nsfw'] as const;
export type Listing = (typeof LISTINGS)[number];
