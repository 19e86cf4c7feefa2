import { Injectable } from '@nestjs/common';
import { type AnswerOf, type VitrineClient, VitrineError } from '@vitrine/client';
import { RULINGS, type Ruling } from '@vitrine/contracts';
import { refusal } from '../rendering/form-trouble';
import type { Visit } from '../visits/visit';
import { DECISIONS, type DecisionName } from './decisions';
import type { Subject } from './queue-item';

/** A page of a post's media, as large as the API gives them. */
const ALL_MEDIA = 50;
/** The largest page of bans, newest first. */
const LATEST_BANS = 250;
/** A ruling and its bans are made at one moment. */
const SAME_MOMENT_MS = 5_000;

export interface TakenBack {
  /** Whether everything is again what it was. Else something was pending, which no ruling can make of it. */
  readonly restored: boolean;
}

/** Moderators' decisions, as the API takes them. */
@Injectable()
export class Rulings {
  /** Carries a decision out. Returns the ids of the bans that came with it. Throws `VitrineError`. */
  async decide(visit: Visit, subject: Subject, decision: DecisionName, note: string): Promise<number[]> {
    const { type, target } = subject;
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
        : await moderation.ruleOnPost(target, body, options);
    return bans.map(({ id }) => id);
  }

  /**
   * Takes the visitor's own latest ruling on a media or a post back: lifts those of `bans` that came with it, and rules
   * as it was before. Throws `VitrineError`, `invalid` where somebody else has decided since.
   */
  async undo(visit: Visit, subject: Subject, bans: readonly number[]): Promise<TakenBack> {
    const { username } = await visit.requireViewer();
    const { api } = visit;
    const ruling = await latestRuling(api, subject, username);
    if (!ruling) throw refusal({ target: ['Somebody else has decided since.'] });
    await liftBans(api, bans, ruling);
    const whole = await restore(api, subject, ruling.from);
    // A ban of a post rejects each of its media by a decision of its own.
    const media = subject.type === 'post' && bans.length > 0 ? await undoMedia(api, subject, username) : true;
    return { restored: whole && media };
  }
}

async function undoMedia(api: VitrineClient, { target }: Subject, moderator: string): Promise<boolean> {
  const { media } = await api.posts.get(target, { perPage: ALL_MEDIA });
  const results = await Promise.all(
    media.map(async ({ slug }) => {
      const subject: Subject = { type: 'media', target: slug };
      const ruling = await latestRuling(api, subject, moderator);
      return !ruling || restore(api, subject, ruling.from);
    }),
  );
  return results.every((restored) => restored);
}

type RulingMade = AnswerOf<'listDecisions'>['data'][number];

/** This moderator's ruling; null where the latest decision isn't theirs. */
async function latestRuling(
  api: VitrineClient,
  { type, target }: Subject,
  moderator: string,
): Promise<RulingMade | null> {
  if (type !== 'media' && type !== 'post') return null;
  const { data } = await api.moderation.decisions.list({ type, slug: target, limit: 1 });
  const [latest] = data;
  return latest?.reason === 'moderator' && latest.decided_by === moderator ? latest : null;
}

async function restore(api: VitrineClient, { type, target }: Subject, before: string): Promise<boolean> {
  if (!isRuling(before)) return false;
  const body = { status: before, reason: 'The decision before was taken back.' };
  await (type === 'media'
    ? api.moderation.ruleOnMedia(target, body)
    : api.moderation.ruleOnPost(target, body));
  return true;
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
  await Promise.all(bans.map(({ id }) => lift(api, id)));
}

/** Somebody else may have lifted it meanwhile. */
async function lift(api: VitrineClient, ban: number): Promise<void> {
  try {
    await api.moderation.hashes.unban(ban);
  } catch (error) {
    if (!(error instanceof VitrineError && error.code === 'not_found')) throw error;
  }
}

const isRuling = (status: string): status is Ruling => RULINGS.some((ruling) => ruling === status);
