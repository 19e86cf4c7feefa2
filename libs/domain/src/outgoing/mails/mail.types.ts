/** What a mail is for: a notice about an account, or one of the single-use links. */
export type MailKind = 'notice' | LinkPurpose;

/** What a single-use link is for. */
export type LinkPurpose = 'verify-email' | 'reset-password';

/** A mail to be sent. It holds no secret: the code of a link is made when the mail is sent. */
export interface NewMail {
  /** Null if the account is removed in the same transaction. */
  readonly userId: number | null;
  readonly username: string;
  readonly address: string;
  readonly content:
    | {
        readonly kind: 'notice';
        readonly text: string;
        /** Whether programs can cause such a notice often, so that it counts towards the limit of these. */
        readonly isLimited: boolean;
      }
    | { readonly kind: LinkPurpose };
}

/** A mail that this process has taken for an attempt. */
export interface ClaimedMail {
  readonly id: number;
  readonly messageId: string;
  readonly userId: number | null;
  readonly username: string;
  readonly kind: MailKind;
  readonly address: string;
  readonly notice: string | null;
  /** The number of this attempt; the first is 1. */
  readonly attempt: number;
  readonly createdAt: Date;
}

/**
 * How an attempt ended. `refused`: the server has said that it never takes this mail. `unknown`: the server may have
 * accepted it, but its answer was lost.
 */
export type MailOutcome =
  { readonly result: 'sent' } | { readonly result: 'retry' | 'refused' | 'unknown'; readonly error: string };
