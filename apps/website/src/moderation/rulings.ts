import { Injectable } from '@nestjs/common';
import { type AnswerOf, type VitrineClient, VitrineError } from '@vitrine/client';
import { MAX_LIMIT, MAX_POST_MEDIA, type Ruling, RULINGS } from '@vitrine/contracts';
import { invalidFormError } from '../results/form-problem';
import { ignoreNotFound } from '../visits/errors';
import type { Visit } from '../visits/visit';
import { DECISIONS, type DecisionName } from './decisions';
import type { Subject } from './queue-item';

/** A ban belongs to a ruling if both were created within this time, in milliseconds. */
const SAME_MOMENT_MS = 5_000;

/** A decision from a moderator's form. */
export interface DecisionMade {
  readonly subject: Subject;
  /** For a post: the revision that was shown with the form. */
  readonly revision: number | undefined;
  readonly decision: DecisionName;
  readonly note: string;
}

/** Thrown if the post has changed since the moderator saw it; nothing was decided. */
export class ContentChanged extends VitrineError {
  constructor(cause: unknown) {
    const message =
      'The post has changed since you saw it. Your decision was not saved. Please check the post again.';
    // The page's script recognises this conflict by the field `revision`.
    super({ code: 'conflict', status: 409, message, errors: { revision: [message] }, cause });
  }
}

/** Sends moderators' decisions to the API. */
@Injectable()
export class Rulings {
  /**
   * Executes a decision. Returns the ids of the bans that it added. Throws `VitrineError`, or `ContentChanged` if a
   * post has changed since its revision.
   */
  async decide(
    visit: Visit,
    { subject: { type, target }, revision, decision, note }: DecisionMade,
  ): Promise<number[]> {
    const { moderation, comments } = visit.api;
    const { ruling, note: usual } = DECISIONS[decision];
    if (decision === 'keep') await moderation.dismissReports(type, target);
    if (decision === 'delete') await comments.delete(Number(target));
    if (ruling === null) return [];
    const body = { status: ruling, reason: note || usual, ban: decision === 'ban' };
    const options = { idempotencyKey: visit.idempotencyKey };
    const { banned_hashes: bans } =
      type === 'media'
        ? await moderation.ruleOnMedia(target, body, options)
        : await detectContentChange(moderation.ruleOnPost(target, { ...body, revision }, options));
    return bans.map(({ id }) => id);
  }

  /**
   * Undoes the visitor's own latest ruling on a media item or a post: lifts those of `bans` that came with it and
   * restores the previous status, which may be pending. If a post has changed since `revision`, its status becomes
   * pending. Throws `VitrineError` (`invalid` if someone else has decided since).
   */
  async undo(
    visit: Visit,
    subject: Subject,
    revision: number | undefined,
    bans: readonly number[],
  ): Promise<void> {
    const { username } = await visit.requireViewer();
    const { api } = visit;
    const ruling = await latestRuling(api, subject, username);
    if (!ruling) throw invalidFormError({ target: ['Someone else has made a decision in the meantime.'] });
    await liftBans(api, bans, ruling);
    // Banning a post rejects each of its media with a separate decision; the post's status follows from them.
    if (subject.type === 'post' && bans.length > 0) await undoMedia(api, subject, username);
    await restore(api, subject, ruling.before, revision);
  }
}

async function undoMedia(api: VitrineClient, { target }: Subject, moderator: string): Promise<void> {
  const { media } = await api.posts.get(target, { perPage: MAX_POST_MEDIA });
  await Promise.all(
    media.map(async ({ slug }) => {
      const subject: Subject = { type: 'media', target: slug };
      const ruling = await latestRuling(api, subject, moderator);
      // A media item that an earlier, failed attempt has already restored stays restored.
      if (ruling?.to === 'rejected') await restore(api, subject, ruling.before);
    }),
  );
}

type Decision = AnswerOf<'listDecisions'>['data'][number];

interface RulingMade extends Decision {
  /** The ruling that restores the previous status. */
  readonly before: Ruling;
}

/** The latest ruling if this moderator made it; else null. */
async function latestRuling(
  api: VitrineClient,
  { type, target }: Subject,
  moderator: string,
): Promise<RulingMade | null> {
  if (type !== 'media' && type !== 'post') return null;
  const { data } = await api.moderation.decisions.list({ type, slug: target, limit: MAX_LIMIT });
  const [latest, ...earlier] = data;
  if (latest?.reason !== 'moderator' || latest.decided_by !== moderator) return null;
  // Without an earlier ruling, the post's status followed from its media and its owner.
  const followed = type === 'post' && !earlier.some(({ reason }) => reason === 'moderator');
  const before = RULINGS.find((ruling) => ruling === latest.from);
  if (before === undefined) return null;
  return { ...latest, before: followed ? 'pending' : before };
}

async function restore(
  api: VitrineClient,
  { type, target }: Subject,
  before: Ruling,
  revision?: number,
): Promise<void> {
  const body = { status: before, reason: 'The previous decision was undone.' };
  if (type === 'media') {
    await api.moderation.ruleOnMedia(target, body);
    return;
  }
  try {
    await detectContentChange(api.moderation.ruleOnPost(target, { ...body, revision }));
  } catch (error) {
    if (!(error instanceof ContentChanged)) throw error;
    // The earlier decision was on other content.
    await api.moderation.ruleOnPost(target, { ...body, status: 'pending' });
  }
}

/** Distinguishes a changed post from a request that is still in progress, whose answer says when to retry. */
async function detectContentChange<Answer>(ruling: Promise<Answer>): Promise<Answer> {
  try {
    return await ruling;
  } catch (error) {
    const isStale =
      error instanceof VitrineError &&
      ((error.code === 'conflict' && error.retryAfter === undefined) || 'revision' in error.errors);
    throw isStale ? new ContentChanged(error) : error;
  }
}

/**
 * Lifts only those of the requested bans that came with the ruling, because the ids come from a form and are not
 * trustworthy.
 */
async function liftBans(api: VitrineClient, asked: readonly number[], ruling: RulingMade): Promise<void> {
  if (asked.length === 0) return;
  const { data } = await api.moderation.hashes.list({ limit: MAX_LIMIT });
  const bans = data.filter(
    ({ id, created_by: by, created_at: at }) =>
      asked.includes(id) &&
      by === ruling.decided_by &&
      Math.abs(Date.parse(at) - Date.parse(ruling.created_at)) < SAME_MOMENT_MS,
  );
  await Promise.all(bans.map(({ id }) => ignoreNotFound(api.moderation.hashes.unban(id))));
}
