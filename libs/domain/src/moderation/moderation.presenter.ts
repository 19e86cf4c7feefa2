import type { BannedHashResource, DecisionResource, ModerationScoresResource } from '@vitrine/contracts';
import type { BannedHashView } from './banned-hash.repository';
import type { Verdict } from './moderation.rules';
import type { DecisionView } from './moderation-decision.repository';

/** What automation went by, as moderators see it. */
export function presentScores(scores: Verdict['scores']): ModerationScoresResource | null {
  if (!scores) return null;
  if ('bannedHashId' in scores) {
    return { banned_hash_id: scores.bannedHashId, distance: scores.distance };
  }
  const { drawing, hentai, neutral, porn, sexy } = scores.classes;
  return {
    unsafe: scores.unsafe,
    worst_frame: scores.worst_frame,
    frames: scores.frames,
    classes: { drawing, hentai, neutral, porn, sexy },
  };
}

/** One decision of the log. */
export const presentDecision = (decision: DecisionView): DecisionResource => ({
  id: decision.id,
  type: decision.subject,
  slug: decision.slug,
  from: decision.from,
  to: decision.to,
  reason: decision.reason,
  note: decision.note,
  revision: decision.revision,
  scores: presentScores(decision.scores),
  decided_by: decision.username ?? decision.decidedBy,
  created_at: decision.createdAt.toISOString(),
});

/** One ban. */
export const presentBannedHash = (ban: BannedHashView): BannedHashResource => ({
  id: ban.id,
  kind: ban.kind,
  hash: ban.hash.toString('hex'),
  reason: ban.reason,
  created_at: ban.createdAt.toISOString(),
  created_by: ban.createdBy,
});
