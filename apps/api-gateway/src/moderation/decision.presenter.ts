import type { DecisionResource, ModerationScoresResource } from '@vitrine/contracts/api';
import type { DecisionView, DecisionScores } from '@vitrine/domain';

/** The basis of an automated decision, as moderators see it. */
export function presentScores(scores: DecisionScores | null): ModerationScoresResource | null {
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

/** The resource of a decision in the log. */
export const presentDecision = (decision: DecisionView): DecisionResource => ({
  id: decision.id,
  type: decision.subject,
  slug: decision.slug,
  from: decision.from,
  to: decision.to,
  reason: decision.reason,
  note: decision.note,
  revision: decision.revision,
  until: decision.until?.toISOString() ?? null,
  scores: presentScores(decision.scores),
  decided_by: decision.username ?? decision.decidedBy,
  created_at: decision.createdAt.toISOString(),
});
