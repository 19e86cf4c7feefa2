import { ForbiddenException } from '@nestjs/common';
import type { AnswerOf, Post, VitrineClient } from '@vitrine/client';
import { postPath } from '../posts/post-path';
import type { Visit } from '../visits/visit';

/** A post as its owner gets it, with every media that it has. */
export type OwnPost = Post & { readonly visibility: NonNullable<Post['visibility']> };

/** A post holds at most so many media (the API's limit), so that one page has them all. */
export const MOST_MEDIA = 50;

/**
 * The API for whoever changes a thing of their own: the account, or the guest of this browser. Throws `LogInFirst`
 * where there is neither.
 */
export async function ownerApi(visit: Visit): Promise<VitrineClient> {
  if (visit.hasSession || visit.guestToken === undefined) {
    await visit.requireViewer();
    return visit.api;
  }
  return visit.apiWith(visit.guestToken);
}

/** The owner's post. Throws 403 where it is somebody else's. */
export async function ownPost(api: VitrineClient, slug: string): Promise<OwnPost> {
  const post = await api.posts.get(slug, { perPage: MOST_MEDIA });
  const { visibility } = post;
  if (visibility === undefined) throw new ForbiddenException();
  return { ...post, visibility };
}

/** One page of what the owner has uploaded, the latest first. */
export async function ownMedia(
  visit: Visit,
  api: VitrineClient,
  page: number,
  limit: number,
): Promise<AnswerOf<'listUserMedia'>> {
  const viewer = await visit.viewer();
  const list = viewer ? api.users.media(viewer.username) : api.guest.media;
  return list.list({ page, limit });
}

/** The owner's way to their post; a guest's browser needs the key of a private one. */
export const ownPostPath = (visit: Visit, slug: string, accessKey: string | null | undefined): string =>
  postPath(slug, { key: visit.hasSession ? undefined : (accessKey ?? undefined) });

/** The path of the editor. */
export const editPath = (slug: string): string => `/p/${encodeURIComponent(slug)}/edit`;
