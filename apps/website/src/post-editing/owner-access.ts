import { ForbiddenException } from '@nestjs/common';
import type { AnswerOf, Post, VitrineClient } from '@vitrine/client';
import { MAX_POST_MEDIA } from '@vitrine/contracts';
import { postPath } from '../links/paths';
import type { Visit } from '../visits/visit';

/** A post as its owner gets it, with all its media. */
export type OwnPost = Post & { readonly visibility: NonNullable<Post['visibility']> };

/**
 * The API client of an owner: of the account, or of this browser's guest. Throws `LogInRequiredError` if there is
 * neither.
 */
export async function ownerApi(visit: Visit): Promise<VitrineClient> {
  if (visit.hasSession || visit.guestToken === undefined) {
    await visit.requireViewer();
    return visit.api;
  }
  return visit.apiWith(visit.guestToken);
}

/** Loads the owner's post. Throws `ForbiddenException` if someone else owns it. */
export async function ownPost(api: VitrineClient, slug: string): Promise<OwnPost> {
  const post = await api.posts.get(slug, { perPage: MAX_POST_MEDIA });
  const { visibility } = post;
  if (visibility === undefined) throw new ForbiddenException();
  return { ...post, visibility };
}

/** One page of the owner's uploads, newest first. */
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

/** Path of the owner's post; for guests with the key if it is private. */
export const ownPostPath = (visit: Visit, slug: string, accessKey: string | null | undefined): string =>
  postPath(slug, { key: visit.hasSession ? undefined : (accessKey ?? undefined) });

/** The path of the editor. */
export const editPath = (slug: string): string => `/p/${encodeURIComponent(slug)}/edit`;
