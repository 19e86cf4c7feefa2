import type { AuditAction, AuditSubject } from '@vitrine/contracts';

/** Something that staff does. */
export interface NewAuditEntry {
  /** The account that does it; null for the operator's command line, and for identity providers, which `detail` names. */
  readonly by: { readonly userId: number } | null;
  readonly action: AuditAction;
  readonly subject: {
    readonly type: AuditSubject;
    /** Null for subjects that have no number. */
    readonly id: number | null;
    /** Its name now: a username, a slug, a hash. */
    readonly name: string;
  };
  /** What else there is to know, in a few values. Never a secret, and never text that users have written. */
  readonly detail?: Readonly<Record<string, string | number | boolean | null | readonly string[]>>;
  /** Of a decision, which says the rest, so that no fact is written twice. */
  readonly decisionId?: number;
}

/** Which entries to read. Omitted fields don't filter. */
export interface AuditFilter {
  /** A username, ignoring case. */
  readonly actor?: string | undefined;
  /** Only what the operator did on the command line. */
  readonly operator?: boolean | undefined;
  readonly action?: AuditAction | undefined;
  /** The name of the subject, ignoring case. */
  readonly subject?: string | undefined;
  /** RFC 3339. */
  readonly from?: string | undefined;
  /** RFC 3339; entries at this time aren't among them. */
  readonly to?: string | undefined;
}

/** An entry with the name of who did it, and what the decision says if it is a ruling. */
export interface AuditEntry {
  readonly id: number;
  /** Null: the operator, on the command line. */
  readonly actor: string | null;
  readonly action: AuditAction;
  readonly subjectType: AuditSubject;
  readonly subjectName: string;
  readonly detail: Readonly<Record<string, unknown>> | null;
  readonly address: string | null;
  readonly createdAt: Date;
}
