import { REPORT_REASONS } from '../components/report-form';

const AUTOMATION: Readonly<Record<string, string>> = {
  classifier_safe: 'Automatic check: safe',
  classifier_unsafe: 'Automatic check: unsafe',
  classifier_unsure: 'Automatic check: unsure',
  classifier_failed: 'Automatic check failed',
  partly_seen: 'Has pictures that were not checked automatically',
  banned_hash: 'Looks like banned content',
  processing_failed: 'Could not be processed',
  processing_again: 'Processed again',
  moderator: 'Moderator’s decision',
  application: 'Application for an account',
  operator: 'Operator’s decision',
  owner: 'Set by the owner',
  content_changed: 'Changed since a moderator’s decision',
};

const reported = new Map<string, string>(REPORT_REASONS);

/** The label of a reason code; an unknown code is returned unchanged. */
export const reasonInWords = (code: string): string => reported.get(code) ?? AUTOMATION[code] ?? code;

export const isReported = (code: string): boolean => reported.has(code);
