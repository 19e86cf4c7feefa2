/** The actions of staff that are recorded in the audit log: the kind of the subject, and the action. */
export const AUDIT_ACTIONS = [
  'media.rule',
  'post.rule',
  'user.rule',
  'application.decide',
  'report.dismiss',
  'comment.delete',
  'hash.ban',
  'hash.unban',
  'invite.create',
  'invite.revoke',
  'user.create',
  'user.change_role',
  'user.change_quota',
  'user.reset_link',
  'user.remove_second_factor',
  'user.end_session',
  'user.end_sessions',
  'user.delete',
  'token.create',
  'token.revoke',
  'media.reprocess',
  'bus.replay',
  'bus.discard',
  'site.migrate',
  'site.seed_demo',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** The kinds of things that entries of the audit log are about. */
export const AUDIT_SUBJECTS = ['media', 'post', 'comment', 'user', 'hash', 'invite', 'bus', 'site'] as const;
export type AuditSubject = (typeof AUDIT_SUBJECTS)[number];

/** An audit log counts its matching entries up to this number, and lists no more than these. */
export const MAX_AUDIT_ENTRIES = 10_000;
