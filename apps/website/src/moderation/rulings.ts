import { Injectable } from '@nestjs/common';
import { type AnswerOf, type VitrineClient, VitrineError } from '@vitrine/client';
import type { Ruling } from '@vitrine/contracts';
import { refusal } from '../rendering/form-trouble';
import { unlessGone } from '../visits/unless-gone';
import type { Visit } from '../visits/visit';
import { DECISIONS, type DecisionName } from './decisions';
import type { Subject } from './queue-item';

/** A page of a post's media, as large as the API gives them. */
const ALL_MEDIA = 50;
/** The largest page of bans, newest first. */
const LATEST_BANS = 250;
/** The largest page of decisions, newest first. */
const LATEST_DECISIONS = 250;
/** A ruling and its bans are made at one moment. */
const SAME_MOMENT_MS = 5_000;

/** A decision as a moderator's form names it. */
export interface DecisionMade {
  readonly subject: Subject;
  /** For a post: the revision that was shown beside the form. */
  readonly revision: number | undefined;
  readonly decision: DecisionName;
  readonly note: string;
}

/** The post has changed since the moderator saw it; nothing was decided. */
export class ContentChanged extends VitrineError {
  constructor(cause: unknown) {
    const message = 'The post has changed since you saw it. Nothing was decided: please look again.';
    // Our script recognises this conflict by the field.
    super({ code: 'conflict', status: 409, message, errors: { revision: [message] }, cause });
  }
}

/** Moderators' decisions, as the API takes them. */
@Injectable()
export class Rulings {
  /**
   * Carries out a decision. Returns the ids of the bans that it added. Throws `VitrineError`, `ContentChanged` where a
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
        : await coveringRevision(moderation.ruleOnPost(target, { ...body, revision }, options));
    return bans.map(({ id }) => id);
  }

  /**
   * Takes the visitor's own latest ruling on a media or a post back: lifts those of `bans` that came with it, and rules
   * as it was before, undecided included. If a post has changed since `revision`, nothing is decided. Throws
   * `VitrineError`, `invalid` where somebody else has decided since.
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
    if (!ruling) throw refusal({ target: ['Somebody else has decided since.'] });
    await liftBans(api, bans, ruling);
    // A ban of a post rejects each of its media by a decision of its own; the post follows them.
    if (subject.type === 'post' && bans.length > 0) await undoMedia(api, subject, username);
    await restore(api, subject, ruling.before, revision);
  }
}

async function undoMedia(api: VitrineClient, { target }: Subject, moderator: string): Promise<void> {
  const { media } = await api.posts.get(target, { perPage: ALL_MEDIA });
  await Promise.all(
    media.map(async ({ slug }) => {
      const subject: Subject = { type: 'media', target: slug };
      const ruling = await latestRuling(api, subject, moderator);
      // One that is restored already, by a try that failed later, stays so.
      if (ruling?.to === 'rejected') await restore(api, subject, ruling.before);
    }),
  );
}

type Decision = AnswerOf<'listDecisions'>['data'][number];

interface RulingMade extends Decision {
  /** The ruling that brings back what was before it. */
  readonly before: Ruling;
}

/** This moderator's ruling; null where the latest decision isn't theirs. */
async function latestRuling(
  api: VitrineClient,
  { type, target }: Subject,
  moderator: string,
): Promise<RulingMade | null> {
  if (type !== 'media' && type !== 'post') return null;
  const { data } = await api.moderation.decisions.list({ type, slug: target, limit: LATEST_DECISIONS });
  const [latest, ...earlier] = data;
  if (latest?.reason !== 'moderator' || latest.decided_by !== moderator) return null;
  // A post that nobody had ruled on followed its media and its owner.
  const followed = type === 'post' && !earlier.some(({ reason }) => reason === 'moderator');
  return { ...latest, before: followed ? 'pending' : latest.from };
}

async function restore(
  api: VitrineClient,
  { type, target }: Subject,
  before: Ruling,
  revision?: number,
): Promise<void> {
  const body = { status: before, reason: 'The decision before was taken back.' };
  if (type === 'media') {
    await api.moderation.ruleOnMedia(target, body);
    return;
  }
  try {
    await coveringRevision(api.moderation.ruleOnPost(target, { ...body, revision }));
  } catch (error) {
    if (!(error instanceof ContentChanged)) throw error;
    // The earlier decision was on other content.
    await api.moderation.ruleOnPost(target, { ...body, status: 'pending' });
  }
}

/** Distinguishes a changed post from a request that is still in progress, whose answer says when to retry. */
async function coveringRevision<Answer>(ruling: Promise<Answer>): Promise<Answer> {
  try {
    return await ruling;
  } catch (error) {
    const isStale =
      error instanceof VitrineError &&
      ((error.code === 'conflict' && error.retryAfter === undefined) || 'revision' in error.errors);
    throw isStale ? new ContentChanged(error) : error;
  }
}

/** A form tells which they are, and a link can bring such a form: only what came with the ruling is lifted. */
async function liftBans(api: VitrineClient, asked: readonly number[], ruling: RulingMade): Promise<void> {
  if (asked.length === 0) return;
  const { data } = await api.moderation.hashes.list({ limit: LATEST_BANS });
  const bans = data.filter(
    ({ id, created_by: by, created_at: at }) =>
      asked.includes(id) &&
      by === ruling.decided_by &&
      Math.abs(Date.parse(at) - Date.parse(ruling.created_at)) < SAME_MOMENT_MS,
  );
  await Promise.all(bans.map(({ id }) => unlessGone(api.moderation.hashes.unban(id))));
}
