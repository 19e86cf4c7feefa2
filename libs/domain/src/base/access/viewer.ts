import type { Role } from '@vitrine/contracts';

/** The reader of an item: a signed-in user or a guest; null for an anonymous client. */
export type Viewer = { readonly userId: number; readonly role: Role } | null;

/** Something that a user or guest may own. */
export interface Owned {
  /** Null for an item without an owner. */
  readonly userId: number | null;
}

/** Whether the viewer is a moderator or an admin. */
export const isModerator = (viewer: Viewer): boolean =>
  viewer?.role === 'moderator' || viewer?.role === 'admin';

/** Whether the viewer owns an item. Nobody owns an item that was uploaded without a token. */
export const owns = (item: Owned, viewer: Viewer): boolean =>
  viewer !== null && item.userId !== null && item.userId === viewer.userId;

/** The access rule for rejected content: only its owner and moderators may see it. */
export const seesRejected = (item: Owned, viewer: Viewer): boolean =>
  owns(item, viewer) || isModerator(viewer);
